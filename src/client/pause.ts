/** A pause that signals cut short. */

/** Resolves after `ms`, or as soon as one of the signals is aborted. */
export function pause(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, ms));
    for (const signal of signals) signal?.addEventListener('abort', end);
    if (signals.some((signal) => signal?.aborted)) end();
  });
}
