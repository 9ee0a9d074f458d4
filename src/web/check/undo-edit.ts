/**
 * The way back from a saved edit of a check: the fields that it changed, as they were before.
 * Invariant: it takes back nothing that somebody has saved since.
 */
import { ask, send } from '../core/calls.ts';
import { overwrittenWords } from '../form/overwritten.ts';
import { type ApiCheck, apiPath } from '../rows/api-check.ts';
import { say, type ToastAction, undoWords } from '../ui/toasts.tsx';

type Fields = Readonly<Record<string, unknown>>;

interface Edited {
  readonly before: ApiCheck;
  readonly after: ApiCheck;
}

/** `sent`: the fields that were saved. */
export function undoOfEdit(project: string, sent: Fields, { before, after }: Edited): ToastAction {
  const path = apiPath(project, `checks/${before.uuid}`);
  const back = fieldsBefore(sent, { ...before });
  const run = async (): Promise<void> => {
    const now = await ask<ApiCheck>(path);
    if (overwrittenWords(back, { ...after }, { ...now }) !== '')
      throw new Error('Not undone: somebody has changed the same fields since.');
    const { status } = await send<ApiCheck>('POST', path, back);
    const staysDown = status === 'down' && before.status !== 'down';
    say(`The check is set as before.${staysDown ? ' It stays down until its next ping.' : ''}`);
  };
  return { words: undoWords, run };
}

const expectation = ['timeout', 'schedule', 'tz'];

/** An interval and an expression take the place of each other: the ones that the check did not have are undefined, and not sent. */
function fieldsBefore(sent: Fields, before: Fields): Fields {
  const isTimed = expectation.some((name) => name in sent);
  const others = Object.keys(sent).filter((name) => !expectation.includes(name));
  return Object.fromEntries([
    ...others.map((name) => [name, before[name] ?? unsetLike(sent[name])]),
    ...(isTimed ? expectation.map((name) => [name, before[name]]) : []),
  ]);
}

/** What the API takes for a field that is not set, which its answer leaves out. */
function unsetLike(value: unknown): unknown {
  if (typeof value === 'number') return 0;
  return typeof value === 'boolean' ? false : '';
}
