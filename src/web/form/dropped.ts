/** Asks once before rules of retention are saved that drop something at once: it cannot be brought back. */
import { droppedNowWords } from '../../domain/retention/retention-words.ts';
import type { RetentionPreviewAnswer } from '../../domain/views/api-answers.ts';
import { Refusal, send } from '../core/calls.ts';

/** Returns what refuses the first attempt to save such rules, and lets the second one of the same rules pass. */
export function dropGuard(): (path: string, retention: string) => Promise<void> {
  let warnedOf: string | null = null;
  return async (path, retention) => {
    if (warnedOf === retention) return;
    // Rules that are wrong are refused when they are saved.
    const dropped = await send<RetentionPreviewAnswer>('POST', path, { retention }).catch(() => null);
    const words = dropped ? droppedNowWords(dropped) : '';
    if (words === '') return;
    warnedOf = retention;
    throw new Refusal(`${words} Save again to do it.`, 'retention', 409);
  };
}
