/**
 * A status page of a configuration file, whose values have passed the format's table: the rules about several values, its secret
 * put in, and the normal form. Not here: which checks there are (`plan-status-pages`).
 */

import { isPasswordHash } from '../domain/accounts/password-hash.ts';
import { hasControls } from '../domain/accounts/status-page.ts';
import {
  type GivenPageField,
  givenPageFields,
  statusPageFields,
  type ValuesByJson,
} from '../domain/accounts/status-page-fields.ts';
import { statusPageBounds as bounds } from '../domain/accounts/status-page-limits.ts';
import { logoBytesMax, passwordCharsMax, passwordCharsMin } from '../domain/limits.ts';
import { kB } from '../lib/units.ts';
import { canonicalTimeZone } from '../schedule/time-zones.ts';
import { logoError } from '../spec/logo.ts';
import type { DesiredService, DesiredStatusPage } from './desired.ts';
import { type ItemContext, withSecrets } from './read-items.ts';
import { type Position, plainOf, type YamlNode } from './yaml-node.ts';

/** The values that pass the format's table. */
interface Plain extends Partial<ValuesByJson<GivenPageField>> {
  readonly password?: string;
  readonly password_hash?: string;
  readonly services?: readonly PlainService[] | null;
}

interface PlainService {
  readonly name: string;
  readonly tag?: string;
  readonly checks?: readonly string[];
}

export function readStatusPage(node: YamlNode, context: ItemContext): DesiredStatusPage | null {
  const { at } = node;
  const plain = plainOf(node) as Plain;
  const services = (plain.services ?? []).map(serviceOf);
  const values = valuesOf(plain, at, context);
  const password = passwordOf(plain, at, context);
  if (values === null || password === 'missing') return null;
  const error = valuesError(values) ?? servicesError(services) ?? passwordError(password);
  if (error !== null) {
    context.problems.push({ at, text: error });
    return null;
  }
  return { at, ...values, password, services };
}

const fields = givenPageFields.map((name) => statusPageFields[name]);

/** The values in the server's form; null if a secret is missing. */
function valuesOf(plain: Plain, at: Position, context: ItemContext): ValuesByJson<GivenPageField> | null {
  const values = fields.map(({ json, kind, default: whenAbsent }) => {
    const text = plain[json] ?? whenAbsent ?? '';
    if (kind === 'logo') return [json, withSecrets(text, at, context)?.replace(/\s/g, '') ?? null] as const;
    return [json, kind === 'zone' ? (canonicalTimeZone(text) ?? 'UTC') : text.trim()] as const;
  });
  if (values.some(([, value]) => value === null)) return null;
  return Object.fromEntries(values) as ValuesByJson<GivenPageField>;
}

function valuesError(values: ValuesByJson<GivenPageField>): string | null {
  for (const { json, kind, default: whenAbsent } of fields) {
    const value = values[json];
    if (kind === 'text' && value === '' && whenAbsent === null) return `${json} must not be empty`;
    if (kind === 'text' && hasControls(value)) return `${json} must not have control characters`;
    const error = kind === 'logo' ? errorOfLogo(value) : null;
    if (error !== null) return error;
  }
  return null;
}

function serviceOf({ name, tag = '', checks = [] }: PlainService): DesiredService {
  return { name: name.trim(), tag, checks: [...new Set(checks)] };
}

type Password = DesiredStatusPage['password'];

function passwordOf(
  { password, password_hash: hash }: Plain,
  at: Position,
  context: ItemContext,
): Password | 'missing' {
  if (hash !== undefined && password === undefined) return { hash };
  if (password === undefined) return null;
  const clear = withSecrets(password, at, context);
  if (clear === null) return 'missing';
  if (hash === undefined) return { clear };
  context.problems.push({ at, text: 'set one of password and password_hash' });
  return 'missing';
}

function passwordError(password: Password): string | null {
  if (password === null || ('clear' in password && password.clear === '')) return null;
  if ('hash' in password)
    return isPasswordHash(password.hash)
      ? null
      : 'password_hash is none that "knell export --secrets" has printed';
  const chars = password.clear.length;
  return chars < passwordCharsMin || chars > passwordCharsMax
    ? `password must have ${passwordCharsMin} to ${passwordCharsMax} characters`
    : null;
}

function servicesError(services: readonly DesiredService[]): string | null {
  if (services.length > bounds.servicesMax)
    return `services: a status page has at most ${bounds.servicesMax}`;
  for (const { name, tag, checks } of services) {
    if (name === '') return 'services: each needs a name for its readers';
    if (hasControls(name)) return `services: a name must not have control characters`;
    if ((tag === '') === (checks.length === 0)) return `service ${name}: set one of checks and tag`;
  }
  const chosen = services.reduce((sum, { checks }) => sum + checks.length, 0);
  return chosen > bounds.checksMax
    ? `services: at most ${bounds.checksMax} checks can be chosen: use tags`
    : null;
}

function errorOfLogo(logo: string): string | null {
  if (logo === '') return null;
  const bytes = Buffer.from(logo, 'base64');
  if (bytes.toString('base64') !== logo) return 'logo must be a PNG or JPEG file in base64';
  return bytes.length > logoBytesMax ? `the logo has at most ${logoBytesMax / kB} kB` : logoError(bytes);
}
