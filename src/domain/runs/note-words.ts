/**
 * What was noticed of a run, in words with its figures: the same on the page, in commands.
 * Invariant: pure; figures are those behind the note when it was made. Where a ping has none, none are said.
 */
import type { NoteFigures, PingNote } from '../check/ping.ts';
import { resultWords } from '../results/result-words.ts';
import { exactSpan, spanRange } from '../words/span-words.ts';
import type { UsualDuration } from './usual-duration.ts';

const plainWords: Readonly<Record<PingNote, string>> = {
  'too-short': 'shorter than a run may be',
  'unusually-short': 'unusually short',
  'unusually-long': 'unusually long',
  overlap: 'another run was in flight',
  'unknown-host': 'a machine that is not in the list',
  'ended-before': 'came after its end',
  result: 'a result was beyond its limit',
};

/** A note as its ping has it. */
export interface Noted {
  readonly note: PingNote;
  readonly figures: NoteFigures;
  readonly about: string;
}

/** `unusually short, usually 31 to 37 min`. `timeText` writes an instant as its reader does. */
export function noteWords({ note, figures, about }: Noted, timeText: (atMs: number) => string): string {
  const [first, second = first] = figures;
  if (first === undefined || second === undefined) return plainWords[note];
  switch (note) {
    case 'too-short':
      return `shorter than ${exactSpan(first)}`;
    case 'unusually-short':
    case 'unusually-long':
      return `${plainWords[note]}, usually ${usualRange({ fromMs: first, toMs: second })}`;
    case 'overlap':
      return `overlaps the run started ${timeText(first)}`;
    case 'ended-before':
      return `came after its end at ${timeText(first)}`;
    case 'result': {
      const [name = '', unit = ''] = about.split(' ');
      return resultWords(name, unit, figures) || plainWords[note];
    }
    default:
      return plainWords[note];
  }
}

/** `31 to 37 min`. */
export function usualRange({ fromMs, toMs }: Pick<UsualDuration, 'fromMs' | 'toMs'>): string {
  return spanRange(fromMs, toMs);
}
