/**
 * Which exit status of a job means what, by the check's field `exit_codes`: `0=success,24=warning,100-110=warning,*=failure`.
 * Invariant: pure; the first entry that names a code decides, then `*`, then the rule of all checks: 0 is a success, all others
 * are failures.
 */
import type { Signal } from './ping.ts';

/** Codes from 0 to 255, ranges of them, or `*`, each with an outcome, between commas. */
export const exitCodesPattern =
  /^(?: *(?:\*|(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:-(?:25[0-5]|2[0-4]\d|1?\d?\d))?) *= *(?:success|warning|failure) *(?:,(?!$)|$))*$/;

type Meaning = Extract<Signal, 'success' | 'warn' | 'fail'>;

const meanings: ReadonlyMap<string, Meaning> = new Map([
  ['success', 'success'],
  ['warning', 'warn'],
  ['failure', 'fail'],
]);

interface Entry {
  readonly from: number;
  readonly to: number;
  readonly meaning: Meaning;
}

interface ExitCodes {
  readonly entries: readonly Entry[];
  readonly others: Meaning | null;
}

/** The table that was asked for last: checks of a project mostly have the same, and a job pings one check at a time. */
let last = { text: '', codes: parsed('') };

/** What `exitStatus` (0..255) means by the table `text`, which the check's field has accepted. */
export function meaningOfExit(text: string, exitStatus: number): Meaning {
  if (last.text !== text) last = { text, codes: parsed(text) };
  const { entries, others } = last.codes;
  const entry = entries.find(({ from, to }) => from <= exitStatus && exitStatus <= to);
  return entry?.meaning ?? others ?? (exitStatus === 0 ? 'success' : 'fail');
}

function parsed(text: string): ExitCodes {
  const entries: Entry[] = [];
  let others: Meaning | null = null;
  for (const part of text.split(',')) {
    const [codes = '', outcome = ''] = part.split('=').map((half) => half.trim());
    const meaning = meanings.get(outcome);
    if (meaning === undefined) continue;
    if (codes === '*') {
      others ??= meaning;
      continue;
    }
    const [from = Number.NaN, to = from] = codes.split('-').map(Number);
    entries.push({ from, to, meaning });
  }
  return { entries, others };
}
