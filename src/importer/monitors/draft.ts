/**
 * A configuration as it is put together from another program's monitors, with the list of what was left out or changed.
 * Invariants: every text of the other program stays a text: none is taken for a reference to a secret of this machine, and none
 * that is shown controls a terminal. What Knell would refuse is left out by itself, so that the rest can be applied.
 */

import { escapeReferences } from '../../apply/secrets.ts';
import type { ChannelKind } from '../../domain/accounts/project.ts';
import { statusPageFields, statusPageSlugPattern } from '../../domain/accounts/status-page-fields.ts';
import { statusPageBounds } from '../../domain/accounts/status-page-limits.ts';
import { slugify } from '../../domain/check/slugify.ts';
import {
  checkNameLengthMax,
  checkSecondsMax,
  checkSecondsMin,
  descLengthMax,
  nameCharsMax,
  slugLengthMax,
  tagsLengthMax,
} from '../../domain/limits.ts';
import { type FieldTexts, fieldError } from '../../integrations/channel-form-value.ts';
import { KnellError } from '../../lib/errors.ts';
import { parseSpec } from '../../spec/check-spec.ts';
import { readMaintenance } from '../../spec/maintenance-spec.ts';
import { foreignItemsMax, foreignReasonCharsMax } from '../limits.ts';
import type { Plain } from './fields.ts';

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
  /** Left out where the other program has none: then it is the least that Knell has. */
  readonly graceS?: number;
  readonly tags?: readonly string[];
  readonly desc?: string;
  /** Names of integrations of the draft; `*` for all. */
  readonly integrations?: readonly string[] | '*';
  /** The word of the other program for a monitor that notifies nobody; null for one that does. */
  readonly was?: 'paused' | 'disabled' | null;
  /** Where its job pings now; empty if that is not known. */
  readonly pingedAt?: string;
}

export interface ForeignPage {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** `checks`: slugs here. */
  readonly services: readonly { readonly name: string; readonly checks: readonly string[] }[];
}

/** The fields are those of the API; `checks`: slugs here. */
export interface ForeignMaintenance {
  readonly name: string;
  readonly checks?: readonly string[];
  readonly from?: string;
  readonly until?: string;
  readonly schedule?: string;
  readonly tz?: string;
  readonly duration?: number;
}

/** Out of the settings of the other program: the kind of an integration here, and the fields of its form. */
export type ReadIntegration = (settings: Plain) => readonly [ChannelKind, FieldTexts];

export const looksAtNothing = 'Knell waits for pings, and looks at nothing itself';
export const setItUp = 'set it up under Integrations';

export class Draft {
  readonly #project: string;
  readonly #checks: object[] = [];
  readonly #integrations: object[] = [];
  readonly #pages: object[] = [];
  readonly #maintenance: object[] = [];
  readonly #leftOut: LeftOut[] = [];
  readonly #notes: LeftOut[] = [];
  readonly #pings: MovedPing[] = [];
  /** By what has them: names that are taken, each with the number that the next one of that name gets. */
  readonly #taken = new Map<string, Map<string, number>>();

  constructor(project: string) {
    this.#project = project;
  }

  leaveOut(what: string, name: string, why: string): void {
    add(this.#leftOut, { what: shown(what), name: shown(name), why: shown(why, foreignReasonCharsMax) });
  }

  note(what: string, name: string, why: string): void {
    this.#notes.push({ what, name: shown(name), why: shown(why, foreignReasonCharsMax) });
  }

  /** Returns the slug that it has here; null if it was left out. */
  check({ name, when, graceS, tags = [], desc = '', ...other }: ForeignCheck): string | null {
    const { integrations = '*', was = null, pingedAt = '' } = other;
    const expectation =
      'timeoutS' in when ? { timeout: this.#seconds('period', name, when.timeoutS) } : { ...when };
    const fields = {
      name: this.#fitted('name', name, onOneLine(name), checkNameLengthMax),
      ...expectation,
      grace: graceS === undefined ? checkSecondsMin : this.#seconds('grace time', name, graceS),
      ...(tags.length === 0 ? {} : { tags: this.#tags(name, tags) }),
      ...(desc === '' ? {} : { desc: this.#fitted('description', name, visible(desc), descLengthMax) }),
    };
    const parsed = parseSpec(fields);
    if (!parsed.ok) {
      this.leaveOut('check', name, parsed.error.replace(/^json validation error: /, ''));
      return null;
    }
    const wanted = slugify(name).slice(0, slugLengthMax - suffixChars) || 'check';
    const slug = this.#free('check', wanted, '-');
    add(this.#checks, { slug, ...fields, integrations: integrations === '*' ? '*' : [...integrations] });
    if (was !== null) this.note('check', name, `it was ${was}: here it waits for its first ping`);
    if (integrations.length === 0) this.note('check', name, 'it notifies nobody yet');
    if (pingedAt !== '') this.#pings.push({ from: shown(pingedAt, foreignReasonCharsMax), slug });
    return slug;
  }

  /** The names that it has here: a mail to several addresses is one for each, since each is confirmed by itself. */
  integrations(name: string, kind: ChannelKind, texts: FieldTexts): readonly string[] {
    const values = kind === 'email' ? (texts.value ?? '').split(/[,;]/) : [texts.value];
    return values.flatMap((text) => {
      const value = kind === 'email' ? (/<([^<>]*)>/.exec(text ?? '')?.[1] ?? text?.trim()) : text;
      const added = this.integration(name, kind, value === undefined ? texts : { ...texts, value });
      return added === null ? [] : [added];
    });
  }

  /** Returns the name that it has here; null if it was left out. */
  integration(name: string, kind: ChannelKind, texts: FieldTexts): string | null {
    const fields = Object.entries(texts).filter(([, text]) => text !== '');
    const error = fieldError(kind, {
      ...(kind === 'email' ? bothTicks : {}),
      ...Object.fromEntries(fields),
    });
    if (error !== null) {
      this.leaveOut('integration', name, `${kind}: ${error.error}`);
      return null;
    }
    const free = this.#free('integration', cut(onOneLine(name), nameCharsMax - suffixChars) || kind, ' ');
    const escaped = fields.map(([field, text]) => [field, escapeReferences(text)]);
    add(this.#integrations, { name: free, kind, fields: Object.fromEntries(escaped) });
    return free;
  }

  statusPage({ slug, title, description, services }: ForeignPage): void {
    const { servicesMax, serviceNameCharsMax, checksMax } = statusPageBounds;
    const leaveOut = (why: string): void => this.leaveOut('status page', title || slug, why);
    const lines = services
      .map(({ name, checks }) => ({ name: cut(onOneLine(name), serviceNameCharsMax), checks }))
      .filter(({ name, checks }) => name !== '' && checks.length > 0);
    const nChecks = lines.reduce((sum, { checks }) => sum + checks.length, 0);
    if (lines.length === 0) leaveOut('it shows no check that was taken over');
    else if (lines.length > servicesMax || nChecks > checksMax)
      leaveOut(`it has more than ${servicesMax} groups, or ${checksMax} checks`);
    else if (!statusPageSlugPattern.test(slug)) leaveOut('its address is none for Knell');
    else if (this.#isTaken('status page', slug)) leaveOut('another page of the file has its address');
    else {
      add(this.#pages, {
        slug: this.#free('status page', slug, '-'),
        title: cut(onOneLine(title), statusPageFields.title.charsMax) || slug,
        description: cut(visible(description), statusPageFields.description.charsMax),
        services: lines,
      });
    }
  }

  maintenance({ name, checks, ...times }: ForeignMaintenance): void {
    const wanted = cut(onOneLine(name), nameCharsMax - suffixChars) || 'Maintenance';
    const read = readMaintenance({ name: wanted, ...times }, null, 0);
    if (!read.ok) {
      this.leaveOut('maintenance', name, read.error);
      return;
    }
    const free = this.#free('maintenance', wanted, ' ');
    add(this.#maintenance, { name: free, ...times, ...(checks ? { checks } : {}) });
  }

  done(): ForeignConfiguration {
    const lists = {
      integrations: this.#integrations,
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

  #isTaken(what: string, name: string): boolean {
    return this.#taken.get(what)?.has(name) === true;
  }

  /** `wanted`, or with a number behind it, and taken from now on. */
  #free(what: string, wanted: string, separator: string): string {
    const taken = this.#taken.get(what) ?? new Map<string, number>();
    this.#taken.set(what, taken);
    let n = taken.get(wanted) ?? 2;
    let free = wanted;
    for (; taken.has(free); n++) free = `${wanted}${separator}${n}`;
    taken.set(free, 2).set(wanted, n);
    return free;
  }

  #seconds(what: string, name: string, seconds: number): number {
    const allowed = Math.min(checkSecondsMax, Math.max(checkSecondsMin, Math.round(seconds)));
    if (allowed !== Math.round(seconds))
      this.note('check', name, `its ${what} of ${Math.round(seconds)} s became ${allowed} s`);
    return allowed;
  }

  #fitted(what: string, name: string, text: string, charsMax: number): string {
    if (text.length > charsMax) this.note('check', name, `its ${what} was cut to ${charsMax} characters`);
    return cut(text, charsMax);
  }

  /** Whole tags, as many as fit. */
  #tags(name: string, tags: readonly string[]): string {
    const words = [...new Set(tags.map((tag) => onOneLine(tag).replace(/\s/g, '-')))].filter(
      (tag) => tag !== '',
    );
    let joined = '';
    for (const word of words) {
      const longer = joined === '' ? word : `${joined} ${word}`;
      if ([...longer].length > tagsLengthMax) {
        this.leaveOut(
          'tags',
          name,
          `${word} and all after it: a check has ${tagsLengthMax} characters of tags`,
        );
        break;
      }
      joined = longer;
    }
    return joined;
  }
}

/** A configuration that leaves them out has both. */
const bothTicks = { down: 'yes', up: 'yes' };
/** Characters for a number behind a name. */
const suffixChars = 8;

/** Counted as they are read, so that a file with too many is refused early. */
function add<Item>(list: Item[], item: Item): void {
  if (list.length >= foreignItemsMax)
    throw new KnellError('usage', `the file has more than ${foreignItemsMax} items of a kind: split it`);
  list.push(item);
}

/** Tabs and line breaks are the only control characters that stay, and no half of a pair does. */
function visible(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]|\p{Cs}/gu, '').trim();
}

function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
}

/** Counted as JavaScript does, which is never less than what Knell counts. */
function cut(text: string, charsMax: number): string {
  return text
    .slice(0, charsMax)
    .replace(/\p{Cs}$/u, '')
    .trim();
}

function shown(text: string, charsMax = checkNameLengthMax): string {
  return cut(onOneLine(text), charsMax) || '(no name)';
}
