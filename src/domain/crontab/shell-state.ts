/**
 * What is still open at the end of a command of a shell, and the comment that ends it.
 * Invariant: pure, and for any text.
 */

export interface ShellState {
  /** Whether a quote, a substitution, braces or an escape goes on in what follows. */
  readonly isOpen: boolean;
  /** Index of the comment with which the command ends; its length where there is none. */
  readonly commentAt: number;
}

/** The pieces of a command. Braces and a comment begin where a word does: `a#b` and `${x}` have neither. */
const piece =
  /\\[\s\S]?|'[^']*'?|\$\(|\$\{[^}]*\}?|(?<![^ \t\n;&|(]|\\[ \t\n;&|(])(?:(?<comment>#.*)|[{}](?![^ \t\n;&|)]))|[\s\S]/y;
const quotedPiece = /\\[\s\S]?|\$\(|[\s\S]/y;

const ends = new Map([
  ['"', '"'],
  ['`', '`'],
  ['(', ')'],
  ['$(', ')'],
  ['{', '}'],
]);

export function shellState(command: string): ShellState {
  const awaited: string[] = [];
  let last = '';
  let commentAt = command.length;
  for (let at = 0; at < command.length; at += last.length) {
    const isQuoted = awaited.at(-1) === '"';
    const pieces = isQuoted ? quotedPiece : piece;
    pieces.lastIndex = at;
    const found = pieces.exec(command);
    last = found?.[0] ?? '';
    if (found?.groups?.comment && pieces.lastIndex === command.length) commentAt = at;
    const end = isQuoted && /^[({]/.test(last) ? undefined : ends.get(last);
    if (last === awaited.at(-1)) awaited.pop();
    else if (end !== undefined) awaited.push(end);
  }
  return { isOpen: awaited.length > 0 || /^(?:\\|'[^']*|\$\{[^}]*)$/.test(last), commentAt };
}

/** What a shell may read in another way than `shellState` does: then a comment in it may be none. */
const unclear = /\$'|<<|[)<>]#|\\[ \t\n;&|(]?#|\$\{[^}]*["'`]/;

/** Of a command in one line the job and its comment, with the blanks before it; null where that is not clear. */
export function jobAndComment(command: string): { readonly job: string; readonly comment: string } | null {
  if (!command.includes('#')) return { job: command, comment: '' };
  const { isOpen, commentAt } = shellState(command);
  const job = command.slice(0, commentAt).trimEnd();
  if (isOpen || unclear.test(command.slice(0, commentAt + 1))) return null;
  return { job, comment: command.slice(job.length) };
}
