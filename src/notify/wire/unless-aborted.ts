/**
 * Waiting that ends when Knell stops. Invariant: leaves no listener behind.
 */

/** Resolves to the result of `value`, at once if it is no promise; null if `signal` comes first. */
export function unlessAborted<T extends object>(
  value: T | Promise<T>,
  signal: AbortSignal,
): T | Promise<T | null> {
  if (!(value instanceof Promise)) return value;
  return new Promise((resolve, reject) => {
    const cut = (): void => resolve(null);
    signal.addEventListener('abort', cut, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', cut));
  });
}
