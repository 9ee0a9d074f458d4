/**
 * One entry of a check's ping log, and the signals a ping can be.
 */
import type { RunId } from '../../lib/ids.ts';
import type { Result } from '../results/result.ts';

/**
 * Meaning of a ping; also the specification's `type` of a logged ping. Numbered in this order in stored pings: what is added comes
 * last. `warn`: the run ended with a warning; `alive`: the run reports that it goes on.
 */
export const signals = ['success', 'start', 'fail', 'log', 'ign', 'warn', 'alive'] as const;
export type Signal = (typeof signals)[number];

/** Numbered in this order, in stored pings and between nodes: what is added comes last. */
export const schemes = ['http', 'https', 'email'] as const;
export type Scheme = (typeof schemes)[number];

/**
 * What Knell noticed of the run of a ping, and why its signal may be another than the job sent. `ended-before`: a start that came
 * after the end of its run. `result`: one of its results is beyond a limit. Numbered in this order in stored pings.
 */
export const pingNotes = [
  'too-short',
  'unusually-short',
  'unusually-long',
  'overlap',
  'unknown-host',
  'ended-before',
  'result',
] as const;
export type PingNote = (typeof pingNotes)[number];

/**
 * The figures behind a note, in milliseconds: the limit (`too-short`); from when to when a run is usual (`unusually-…`); when the run
 * began that was in flight (`overlap`), or ended (`ended-before`); those of `result` are in `results/judge-results`. Empty for other notes, and for pings of versions that kept none.
 */
export type NoteFigures = readonly number[];
export const noFigures: NoteFigures = [];

export interface Ping {
  /** Number from 1, without gap or repetition within the check. */
  readonly n: number;
  /** When it was received, epoch milliseconds. */
  readonly atMs: number;
  readonly signal: Signal;
  readonly scheme: Scheme;
  readonly remoteAddr: string;
  /** The HTTP method; empty for mail. */
  readonly method: string;
  /** At most 200 characters. */
  readonly ua: string;
  /** A person sent it on the page; `ua` says who, see `senderOf`. What a job writes into its user agent is never taken for that. */
  readonly byHand: boolean;
  readonly rid: RunId | null;
  readonly exitStatus: number | null;
  /** Name of the machine that it says it came from; empty for none. */
  readonly host: string;
  readonly note: PingNote | null;
  readonly figures: NoteFigures;
  /** What the note is about: of `result` its name, and behind a blank its unit if it has one, as they were then; empty for others. */
  readonly about: string;
  /** Numbers that the run reported, at most `resultNamesMax`, each name once. */
  readonly results: readonly Result[];
  /** Length of the body as kept; 0 for none, or once it has been dropped to keep the budget. */
  readonly bodyBytes: number;
  /** Only of a ping whose body a rule of retention has dropped: the milliseconds for which that rule keeps it. */
  readonly bodyAgeMs?: number;
}

/** A ping that came with a body, as far as a search needs it. */
export interface PingOutput extends Pick<Ping, 'n' | 'atMs' | 'signal' | 'scheme' | 'bodyBytes'> {}

const byHandBegins = 'by hand by ';

/** The user agent of a ping that `name` sends by hand. */
export function userAgentByHand(name: string): string {
  return byHandBegins + name;
}

/** Who sent it by hand; empty for a ping of a job. */
export function senderOf({ byHand, ua }: Pick<Ping, 'byHand' | 'ua'>): string {
  return byHand ? ua.slice(byHandBegins.length) : '';
}
