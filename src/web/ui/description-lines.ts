/** What a long description shows before somebody asks for all of it. Pure. */
import { runbookIn } from '../../domain/words/web-address.ts';

/** Characters of a line on a phone, about. */
const lineChars = 45;
/** Lines that are left over without a fold: the button would take as much. */
const spareLines = 2;

export interface FoldedText {
  readonly text: string;
  /** The address of the runbook, which is never folded away; empty where the text has it. */
  readonly runbook: string;
}

/** Returns the beginning of the text, some `lines` on a phone; null where all of it is short enough. No word is cut. */
export function foldedText(whole: string, lines: number): FoldedText | null {
  const rows = whole.trimEnd().split('\n');
  if (rows.reduce((sum, row) => sum + heightOf(row), 0) <= lines + spareLines) return null;
  const taken: string[] = [];
  let left = lines;
  for (const row of rows) {
    if (heightOf(row) > left) {
      const part = wordsWithin(row, left * lineChars);
      if (part !== '') taken.push(part);
      break;
    }
    taken.push(row);
    left -= heightOf(row);
  }
  const text = `${taken.join('\n').trimEnd()} …`;
  const runbook = runbookIn(whole);
  return { text, runbook: runbookIn(text) === runbook ? '' : runbook };
}

function heightOf(row: string): number {
  return Math.max(1, Math.ceil(row.length / lineChars));
}

/** Returns whole words from the beginning; none where even the first is too long. */
function wordsWithin(row: string, chars: number): string {
  return row.slice(0, chars + 1).replace(/\s*\S*$/, '');
}
