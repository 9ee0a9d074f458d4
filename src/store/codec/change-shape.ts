/**
 * A status change as a record of named fields, in records that hold one: deliveries, snoozes. The history keeps changes in
 * fewer bytes (`ping`).
 * Invariant: a key below never changes its meaning.
 */
import { statuses } from '../../domain/check/check.ts';
import { causes, type StatusChange } from '../../domain/check/flip.ts';
import { instant, oneOf, required } from './field-codecs.ts';
import { Shape } from './named-record.ts';

export const changeShape = new Shape<StatusChange>({
  atMs: required('at', instant),
  from: required('from', oneOf(statuses)),
  to: required('to', oneOf(statuses)),
  cause: required('cause', oneOf(causes)),
});
