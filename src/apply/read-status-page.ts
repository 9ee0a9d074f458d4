/**
 * A status page of a configuration file, whose values have passed the format's table: the rules about several values, its secret
 * put in, and the normal form. Not here: which checks there are (`plan-status-pages`).
 */

import { isPasswordHash, passwordCharsMax, passwordCharsMin } from '../domain/accounts/password-hash.ts';
import { statusPageBounds as bounds, hasControls } from '../domain/accounts/status-page.ts';
import { kB } from '../lib/units.ts';
import { canonicalTimeZone } from '../schedule/time-zones.ts';
import { logoError } from '../spec/logo.ts';
import type { DesiredService, DesiredStatusPage } from './desired.ts';
import { type ItemContext, withSecrets } from './read-items.ts';
import { type Position, plainOf, type YamlNode } from './yaml-node.ts';

/** What the format's table lets through. */
interface Plain {
  readonly slug: string;
  readonly title: string;
  readonly description?: string;
  readonly time_zone?: string;
  readonly logo?: string;
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
  const logo = withSecrets(plain.logo ?? '', at, context)?.replace(/\s/g, '') ?? null;
  const password = passwordOf(plain, at, context);
  if (logo === null || password === 'missing') return null;
  const title = plain.title.trim();
  const description = (plain.description ?? '').trim();
  const error =
    textError({ title, description }) ??
    servicesError(services) ??
    errorOfLogo(logo) ??
    passwordError(password);
  if (error !== null) {
    context.problems.push({ at, text: error });
    return null;
  }
  const time_zone = canonicalTimeZone(plain.time_zone ?? 'UTC') ?? 'UTC';
  return { at, slug: plain.slug, title, description, time_zone, logo, password, services };
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

function textError(texts: { readonly title: string; readonly description: string }): string | null {
  if (texts.title === '') return 'title must not be empty';
  const wrong = Object.entries(texts).find(([, text]) => hasControls(text));
  return wrong ? `${wrong[0]} must not have control characters` : null;
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
  return bytes.length > bounds.logoBytesMax
    ? `the logo has at most ${bounds.logoBytesMax / kB} kB`
    : logoError(bytes);
}
