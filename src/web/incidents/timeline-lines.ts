/** Which lines of an incident's timeline become one: what one happening made of several checks, or sent to several integrations. Pure. */

import { incidentEntriesMax } from '../../domain/limits.ts';
import type { IncidentDetailsAnswer } from '../../domain/views/api-answers.ts';
import { shownName } from '../../domain/words/check-name.ts';

/** A delivery that can be sent again, the kind of its integration, and the error of its last attempt. */
export interface Again {
  readonly id: string;
  readonly channelKind: string;
  readonly error: string;
  /** Why it would not be sent if it was retried now; absent where it would. */
  readonly keptBack?: string | undefined;
}

/** An integration, and how it is called: others may be called the same. */
export interface Recipient {
  readonly id: string;
  readonly name: string;
}

/** A line before it is put into words. */
export interface Joinable {
  readonly atMs: number;
  /** Equal where two are one; empty for what stays by itself. */
  readonly kind: string;
  readonly checks: readonly string[];
  /** Integrations that it is about. */
  readonly to?: readonly Recipient[];
  /** Deliveries that can be sent again. */
  readonly again?: readonly Again[];
  readonly say: (checks: string, isOne: boolean, to: string) => string;
}

/** Puts them in order, the newest first, and joins neighbours. */
export function joinedLines<Line extends Joinable>(lines: readonly Line[]): readonly Line[] {
  const joined: Line[] = [];
  for (const one of [...lines].sort((a, b) => b.atMs - a.atMs)) {
    const last = joined.at(-1);
    const both = last ? bothOf(one, last) : null;
    if (both) joined[joined.length - 1] = both;
    else joined.push(one);
  }
  return joined;
}

/** Milliseconds between what is sent of one change to one integration and to the next, at most. */
const sentTogetherMs = 60_000;

/** One line for two neighbours of the same kind; null where they are two. `last` is the later one. */
function bothOf<Line extends Joinable>(one: Line, last: Line): Line | null {
  if (one.kind.startsWith('left') && last.kind === 'resolved' && one.atMs === last.atMs)
    return { ...one, kind: '', say: (...of) => `${one.say(...of)}: resolved` };
  if (one.kind === '' || one.kind !== last.kind) return null;
  const [{ to = [] }, { to: lastTo = [] }] = [one, last];
  const again = [...(one.again ?? []), ...(last.again ?? [])];
  if (idsOf(to) === idsOf(lastTo)) return { ...one, again, checks: [...one.checks, ...last.checks] };
  if (one.checks.join() !== last.checks.join() || last.atMs - one.atMs > sentTogetherMs) return null;
  return { ...one, again, to: [...to, ...lastTo] };
}

function idsOf(to: readonly Recipient[]): string {
  return to.map(({ id }) => id).join();
}

interface Said extends Pick<Joinable, 'to'> {
  readonly isBad: boolean;
  readonly text: string;
}

/**
 * Texts of the lines, the newest first: of an integration that fails again and again, only the newest says why, as long as there is one
 * reason.
 */
export function textsOf(lines: readonly Said[]): readonly string[] {
  const saidOf = new Map<string, Set<string>>();
  return lines.map(({ to = [], isBad, text }) => {
    if (!isBad || text === '' || to.length === 0) return text;
    const above = to.map(({ name }) => saidOf.get(name) ?? new Set<string>());
    const isOne = above.every((texts) => texts.size === 1 && texts.has(text));
    for (const [at, { name }] of to.entries()) saidOf.set(name, (above[at] ?? new Set<string>()).add(text));
    return isOne ? `Same as above for ${recipientNames(to)}.` : text;
  });
}

/** Names that a line has at most. */
const namedMax = 3;

export function namesOf(checks: readonly string[]): string {
  return listed([...new Set(checks.map((name) => shownName({ name })))]);
}

/** Each integration counts: `ntfy (2)` where two are called the same. */
export function recipientNames(to: readonly Recipient[]): string {
  const idsByName = new Map<string, Set<string>>();
  for (const { id, name } of to) idsByName.set(name, (idsByName.get(name) ?? new Set()).add(id));
  return listed([...idsByName].map(([name, { size }]) => (size === 1 ? name : `${name} (${size})`)));
}

function listed(names: readonly string[]): string {
  const more = names.length - namedMax;
  if (more > 0) return `${names.slice(0, namedMax).join(', ')} and ${more} more`;
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

export function leftWords(checks: string, isOne: boolean): string {
  return `${checks} ${isOne ? 'is' : 'are'} no longer down`;
}

/** Returns ` · reopened 24 times`; empty for once or never, which the timeline says. */
export function reopenedWords({ entries }: Pick<IncidentDetailsAnswer, 'entries'>): string {
  const times = entries.filter(({ kind }) => kind === 'reopened').length;
  // Of very many entries those in the middle are gone, and the count with them.
  const least = entries.length >= incidentEntriesMax ? 'at least ' : '';
  return times < 2 ? '' : ` · reopened ${least}${times} times`;
}
