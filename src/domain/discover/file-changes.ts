/**
 * Changes of files, line by line: their new text, and how they are shown (a unified diff, which `patch` takes).
 * Invariant: pure; what is shown is what is written.
 */
import type { FileEdit } from './found-job.ts';

export interface FileChange {
  readonly file: string;
  /** Null for a file that is new. */
  readonly before: string | null;
  readonly after: string;
  readonly diff: string;
}

interface Row {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The changes of one file; null where nothing changes. `before`: its text, null where there is none. */
export function changeOf(file: string, before: string | null, edits: readonly FileEdit[]): FileChange | null {
  const rows = rowsOf(before, edits);
  if (rows.every(({ sign }) => sign === ' ')) return null;
  const after = rows.filter(({ sign }) => sign !== '-').map(({ text }) => text);
  const ends = before === null || before === '' || before.endsWith('\n');
  const text = `${after.join('\n')}${ends || rows.at(-1)?.sign === '+' ? '\n' : ''}`;
  return { file, before, after: text, diff: diffOf(file, before, rows) };
}

function rowsOf(before: string | null, edits: readonly FileEdit[]): readonly Row[] {
  const whole = edits.find((edit): edit is Extract<FileEdit, { text: string }> => 'text' in edit);
  const old = linesOf(before ?? '');
  if (whole) {
    if (whole.text === before) return [];
    const added = linesOf(whole.text).map((text): Row => ({ sign: '+', text }));
    return [...old.map((text): Row => ({ sign: '-', text })), ...added];
  }
  const atLine = (line: number): readonly Row[] =>
    edits.flatMap((edit) => ('added' in edit && edit.line === line ? addedRows(edit.added) : []));
  const rows: Row[] = [...atLine(0)];
  for (const [at, text] of old.entries()) {
    const edit = edits.find((one) => 'replaced' in one && one.line === at + 1);
    if (edit && 'replaced' in edit && edit.replaced !== text)
      rows.push({ sign: '-', text }, { sign: '+', text: edit.replaced });
    else rows.push({ sign: ' ', text });
    rows.push(...atLine(at + 1));
  }
  return rows;
}

function addedRows(added: string): readonly Row[] {
  return added.split('\n').map((text) => ({ sign: '+', text }));
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}

const contextLines = 3;

function diffOf(file: string, before: string | null, rows: readonly Row[]): string {
  const parts = [`--- ${before === null ? '/dev/null' : file}`, `+++ ${file}`];
  const noEnd = before !== null && before !== '' && !before.endsWith('\n');
  for (const [from, to] of hunksIn(rows)) {
    const shown = rows.slice(from, to);
    const count = (sign: '-' | '+', list: readonly Row[]): number =>
      list.filter((row) => row.sign === ' ' || row.sign === sign).length;
    const range = (sign: '-' | '+'): string => {
      const lines = count(sign, shown);
      const first = count(sign, rows.slice(0, from)) + (lines === 0 ? 0 : 1);
      return `${sign}${first},${lines}`;
    };
    parts.push(`@@ ${range('-')} ${range('+')} @@`);
    const lastOld = rows.findLastIndex(({ sign }) => sign !== '+');
    for (const [at, { sign, text }] of shown.entries()) {
      parts.push(`${sign}${text}`);
      if (noEnd && from + at === lastOld) parts.push('\\ No newline at end of file');
    }
  }
  return `${parts.join('\n')}\n`;
}

/** The rows that are shown together: changes with their surroundings, those that touch as one. */
function hunksIn(rows: readonly Row[]): readonly (readonly [number, number])[] {
  const hunks: [number, number][] = [];
  for (const [at, { sign }] of rows.entries()) {
    if (sign === ' ') continue;
    const from = Math.max(0, at - contextLines);
    const to = Math.min(rows.length, at + 1 + contextLines);
    const last = hunks.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}
