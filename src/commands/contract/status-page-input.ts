/**
 * Checks the input of owners about status pages. Not here: what becomes of it (`status-pages`).
 * Invariants: a field that is absent from an edit stays as it is; a service has a public name, and only checks of its page's
 * project.
 */

import type { Project } from '../../domain/accounts/project.ts';
import { hasControls, type StatusPage, type StatusService } from '../../domain/accounts/status-page.ts';
import {
  type GivenPageField,
  givenPageFields,
  statusPageFields,
  statusPageSlugPattern,
} from '../../domain/accounts/status-page-fields.ts';
import { statusPageBounds as bounds } from '../../domain/accounts/status-page-limits.ts';
import { logoBytesMax, passwordCharsMax, passwordCharsMin } from '../../domain/limits.ts';
import { type CheckId, randomBase62 } from '../../lib/ids.ts';
import { kB } from '../../lib/units.ts';
import { canonicalTimeZone } from '../../schedule/time-zones.ts';
import { logoError } from '../../spec/logo.ts';
import { type Args, type CommandRequest, InvalidField, textIn } from './command.ts';

type Fields = Pick<StatusPage, GivenPageField | 'services'>;

/** `password`: in clear; empty to remove the one that there is. */
export interface StatusPageFields {
  readonly fields: Partial<Fields>;
  readonly password: string | null;
}

export function newStatusPageIn(
  request: CommandRequest,
  project: Project,
): StatusPageFields & { readonly fields: Fields } {
  const { fields, password } = statusPageFieldsIn(request, project);
  const all = givenPageFields.map((name) => {
    const { default: whenAbsent } = statusPageFields[name];
    return [name, fields[name] ?? whenAbsent ?? fieldIn(request.args, name)] as const;
  });
  const values = Object.fromEntries(all) as Pick<StatusPage, GivenPageField>;
  return {
    fields: { ...values, services: fields.services ?? [] },
    password: password === '' ? null : password,
  };
}

export function statusPageFieldsIn(request: CommandRequest, project: Project): StatusPageFields {
  const { args } = request;
  const given = givenPageFields.filter((name) => args[name] !== undefined);
  return {
    fields: {
      ...Object.fromEntries(given.map((name) => [name, fieldIn(args, name)])),
      ...(args.services === undefined ? {} : { services: servicesIn(request, project) }),
    },
    password: args.password === undefined ? null : passwordIn(args),
  };
}

function fieldIn(args: Args, name: GivenPageField): string {
  const field = statusPageFields[name];
  switch (field.kind) {
    case 'slug':
      return slugIn(args, name, field);
    case 'text':
      return boundedText(args, name, field);
    case 'zone':
      return timeZoneIn(args, name);
    case 'logo':
      return logoIn(args, name);
    case 'choice':
      return choiceIn(args, name, field.choices);
  }
}

interface Bounds {
  readonly charsMax: number;
  readonly default: string | null;
}

function slugIn(args: Args, name: string, { charsMax }: Bounds): string {
  const slug = textIn(args, name);
  if (statusPageSlugPattern.test(slug)) return slug;
  throw new InvalidField(
    name,
    `enter an address of at most ${charsMax} characters: a-z, 0-9 and hyphens between them, such as our-status`,
  );
}

function boundedText(args: Args, name: string, { charsMax, default: whenAbsent }: Bounds): string {
  const text = textIn(args, name);
  if (text.length > charsMax) throw new InvalidField(name, `${name} has at most ${charsMax} characters`);
  if (hasControls(text)) throw new InvalidField(name, `${name} must not have control characters`);
  if (text === '' && whenAbsent === null) throw new InvalidField(name, `a status page needs a ${name}`);
  return text;
}

function timeZoneIn(args: Args, name: string): string {
  const wanted = textIn(args, name);
  const zone = canonicalTimeZone(wanted || 'UTC');
  if (zone === null) throw new InvalidField(name, `${JSON.stringify(wanted)} is not a time zone`);
  return zone;
}

function choiceIn(args: Args, name: string, choices: readonly (readonly [string, ...unknown[]])[]): string {
  const text = textIn(args, name);
  const known = choices.map(([value]) => value);
  if (known.includes(text)) return text;
  throw new InvalidField(name, `choose one of ${known.filter((one) => one !== '').join(', ')}, or none`);
}

/** Base64; empty for none. */
function logoIn(args: Args, name: string): string {
  const text = textIn(args, name);
  const bytes = Buffer.from(text, 'base64');
  if (text === '') return '';
  if (bytes.length > logoBytesMax)
    throw new InvalidField(name, `the logo has at most ${logoBytesMax / kB} kB`);
  const error = logoError(bytes);
  if (error !== null) throw new InvalidField(name, error);
  return bytes.toString('base64');
}

/** The password as given: it is not trimmed, since blanks are part of it. */
function passwordIn(args: Args): string {
  const { password } = args;
  if (typeof password !== 'string') throw new InvalidField('password', 'password must be text');
  if (password !== '' && password.length < passwordCharsMin)
    throw new InvalidField('password', `a password has at least ${passwordCharsMin} characters`);
  if (password.length > passwordCharsMax)
    throw new InvalidField('password', `a password has at most ${passwordCharsMax} characters`);
  return password;
}

function servicesIn(request: CommandRequest, project: Project): readonly StatusService[] {
  const { services } = request.args;
  if (!Array.isArray(services)) throw new InvalidField('services', 'services must be a list');
  if (services.length > bounds.servicesMax)
    throw new InvalidField('services', `a status page has at most ${bounds.servicesMax} services`);
  const read = services.map((one: unknown) => serviceIn(one, request, project));
  const ids = new Set(read.map(({ id }) => id));
  if (ids.size < read.length) throw new InvalidField('services', 'two services have the same id');
  if (read.reduce((sum, { checks }) => sum + checks.length, 0) > bounds.checksMax)
    throw new InvalidField('services', `at most ${bounds.checksMax} checks can be chosen: use tags`);
  return read;
}

function serviceIn(value: unknown, request: CommandRequest, project: Project): StatusService {
  const args: Args = typeof value === 'object' && value !== null ? { ...value } : {};
  const name = typeof args.name === 'string' ? args.name.trim() : '';
  if (name === '') throw new InvalidField('services', 'every service needs a name for its readers');
  if (name.length > bounds.serviceNameCharsMax)
    throw new InvalidField(
      'services',
      `the name of a service has at most ${bounds.serviceNameCharsMax} characters`,
    );
  if (hasControls(name))
    throw new InvalidField('services', 'the name of a service must not have control characters');
  const tag = typeof args.tag === 'string' ? args.tag.trim() : '';
  const checks = tag === '' ? checksIn(args.checks ?? [], request, project) : [];
  if (tag === '' && checks.length === 0)
    throw new InvalidField('services', `choose checks or a tag for ${name}`);
  if (/\s/.test(tag) || tag.length > bounds.tagCharsMax)
    throw new InvalidField('services', `a tag has no blanks, and at most ${bounds.tagCharsMax} characters`);
  return { id: idIn(args.id), name, tag, checks };
}

/** One that the page gave out before, or a new one. */
function idIn(id: unknown): string {
  return typeof id === 'string' && /^[0-9A-Za-z]{10}$/.test(id) ? id : randomBase62(10);
}

/** Checks that were deleted meanwhile are left out: the form that names them is older. */
function checksIn(value: unknown, { context, nowMs }: CommandRequest, project: Project): readonly CheckId[] {
  if (!Array.isArray(value)) throw new InvalidField('services', 'checks must be a list of UUIDs');
  return [...new Set(value)].flatMap((id: unknown) => {
    const check = typeof id === 'string' ? context.engine.read.check(id, nowMs) : null;
    if (check && check.projectId !== project.id)
      throw new InvalidField('services', 'a check of another project cannot be shown');
    return check ? [check.id] : [];
  });
}
