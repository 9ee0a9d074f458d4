/** Replaced rules of retention as a record of named fields, of checks and of projects. Invariant: a key never changes its meaning. */
import type { Growing } from '../../domain/check/unknown-fields.ts';
import type { FormerRules } from '../../domain/retention/former-rules.ts';
import { instant, optional, required, text } from './field-codecs.ts';
import { Shape } from './named-record.ts';

export const formerRulesShape = new Shape<FormerRules & Growing>({
  rules: optional('rules', text, ''),
  untilMs: required('until', instant),
});
