/**
 * A configuration as it is put together from another program's monitors, with the list of what was left out or changed.
 * Invariant: every field of an integration stays a text: none is taken for a reference to a secret of this machine.
 */

import { escapeReferences } from '../../apply/secrets.ts';
import type { ChannelKind } from '../../domain/accounts/project.ts';
import { slugify } from '../../domain/check/slugify.ts';
import { checkNameLengthMax, checkSecondsMax, checkSecondsMin, slugLengthMax } from '../../domain/limits.ts';
import { fieldError } from '../../integrations/channel-form-value.ts';
import { KnellError } from '../../lib/errors.ts';
import { parseSpec } from '../../spec/check-spec.ts';
import { readMaintenance } from '../../spec/maintenance-spec.ts';
import { foreignItemsMax, foreignTagCharsMax, foreignTextCharsMax } from '../limits.ts';

export interface LeftOut {
  readonly what: string;
  readonly name: string;
  readonly why: string;
}

/** Where a job pings now, and the slug of its check here. */
export interface MovedPing {
  readonly from: string;
  readonly slug: string;
}

export interface ForeignConfiguration {
  /** For `knell apply`. */
  readonly document: object;
  readonly leftOut: readonly LeftOut[];
  /** What was taken over with a change, a sentence each. */
  readonly notes: readonly LeftOut[];
  readonly pings: readonly MovedPing[];
}

export interface ForeignCheck {
  readonly name: string;
  readonly when: { readonly timeoutS: number } | { readonly schedule: string; readonly tz: string };
  readonly graceS: number;
  readonly tags?: readonly string[];
  readonly desc?: string;
  /** Names of integrations of the draft; `*` for all. */
  readonly integrations?: readonly string[] | '*';
  /** Where its job pings now. */
  readonly pingedAt?: string;
}

export interface ForeignMaintenance {
  readonly name: string;
  readonly checks?: readonly string[];
  readonly from?: string;
  readonly until?: string;
  readonly schedule?: string;
  readonly tz?: string;
  readonly duration?: number;
}

export class Draft {
  readonly #project: string;
  readonly #checks: object[] = [];
  readonly #integrations = new Map<string, object>();
  readonly #pages: object[] = [];
  readonly #maintenance: object[] = [];
  readonly #leftOut: LeftOut[] = [];
  readonly #notes: LeftOut[] = [];
  readonly #pings: MovedPing[] = [];
  readonly #slugs = new Set<string>();

  constructor(project: string) {
    this.#project = project;
  }

  leaveOut(what: string, name: string, why: string): void {
    this.#leftOut.push({ what, name: shown(name), why });
  }

  note(what: string, name: string, why: string): void {
    this.#notes.push({ what, name: shown(name), why });
  }

  /** Returns the slug that it has here; null where it was left out, since Knell would refuse it. */
  check({
    name,
    when,
    graceS,
    tags = [],
    desc = '',
    integrations = '*',
    pingedAt,
  }: ForeignCheck): string | null {
    const expectation =
      'timeoutS' in when ? { timeout: this.#seconds('period', name, when.timeoutS) } : { ...when };
    const fields = {
      name: clear(name, checkNameLengthMax),
      ...expectation,
      grace: this.#seconds('grace time', name, graceS),
      ...(tags.length === 0 ? {} : { tags: this.#tags(tags) }),
      ...(desc === '' ? {} : { desc: clear(desc, foreignTextCharsMax) }),
    };
    const parsed = parseSpec(fields);
    if (!parsed.ok) {
      this.leaveOut('check', name, parsed.error.replace(/^json validation error: /, ''));
      return null;
    }
    const slug = this.#freeSlug(name);
    this.#checks.push({ slug, ...fields, integrations: integrations === '*' ? '*' : [...integrations] });
    if (integrations.length === 0) this.note('check', name, 'it notifies nobody yet');
    if (pingedAt !== undefined && pingedAt !== '') this.#pings.push({ from: shown(pingedAt), slug });
    return slug;
  }

  /**
   * `fields` of its form; texts of the other program, so they are escaped. Returns its name here, which is unique; null where it
   * was left out, since Knell would refuse it.
   */
  integration(name: string, kind: ChannelKind, fields: Readonly<Record<string, string>>): string | null {
    const error = fieldError(kind, { ...(kind === 'email' ? bothTicks : {}), ...fields });
    if (error !== null) {
      this.leaveOut('integration', name, `${kind}: ${error.error}`);
      return null;
    }
    const wanted = clear(name.trim() || kind, checkNameLengthMax - suffixChars);
    let free = wanted;
    for (let n = 2; this.#integrations.has(free); n++) free = `${wanted} ${n}`;
    const escaped = Object.entries(fields).map(([field, value]) => [field, escapeReferences(value)]);
    this.#integrations.set(free, { name: free, kind, fields: Object.fromEntries(escaped) });
    return free;
  }

  statusPage(page: object): void {
    this.#pages.push(page);
  }

  /** `checks`: slugs here; the other fields are those of the API. */
  maintenance({ checks, ...fields }: ForeignMaintenance): void {
    const read = readMaintenance({ ...fields }, null, 0);
    if (!read.ok) this.leaveOut('maintenance', fields.name, read.error);
    else this.#maintenance.push({ ...fields, ...(checks ? { checks } : {}) });
  }

  done(): ForeignConfiguration {
    if (this.#checks.length > foreignItemsMax)
      throw new KnellError('usage', `the file has more than ${foreignItemsMax} monitors: split it`);
    const lists = {
      integrations: [...this.#integrations.values()],
      checks: this.#checks,
      status_pages: this.#pages,
      maintenance: this.#maintenance,
    };
    const present = Object.entries(lists).filter(([, list]) => list.length > 0);
    return {
      document: { version: 1, projects: [{ name: this.#project, ...Object.fromEntries(present) }] },
      leftOut: this.#leftOut,
      notes: this.#notes,
      pings: this.#pings,
    };
  }

  #freeSlug(name: string): string {
    const wanted = slugify(name).slice(0, slugLengthMax - suffixChars) || 'check';
    let free = wanted;
    for (let n = 2; this.#slugs.has(free); n++) free = `${wanted}-${n}`;
    this.#slugs.add(free);
    return free;
  }

  #seconds(what: string, name: string, seconds: number): number {
    const allowed = Math.min(checkSecondsMax, Math.max(checkSecondsMin, Math.round(seconds)));
    if (allowed !== Math.round(seconds))
      this.note('check', name, `its ${what} of ${Math.round(seconds)} s became ${allowed} s`);
    return allowed;
  }

  #tags(tags: readonly string[]): string {
    const words = tags.map((tag) => tag.trim().replace(/\s+/g, '-')).filter((tag) => tag !== '');
    return clear([...new Set(words)].join(' '), foreignTagCharsMax);
  }
}

/** A configuration that leaves them out has both. */
const bothTicks = { down: 'yes', up: 'yes' };
/** Characters for a number behind a name. */
const suffixChars = 8;

/** A text of the other program, for a field of so many characters. */
export function clear(text: string, charsMax: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name of Knell has none.
  const visible = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '').replace(/\p{Cs}/gu, '');
  return [...visible].slice(0, charsMax).join('').trim();
}

function shown(name: string): string {
  return clear(name, checkNameLengthMax).replace(/\s+/g, ' ') || '(no name)';
}
