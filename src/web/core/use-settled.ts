/** A moment of patience with what changes many times a second. */
import { useEffect, useRef, useState } from 'preact/hooks';

const settleMs = 500;

/**
 * A number that grows a moment after `value` has changed, or else what is busy would be read again with every change. It does not
 * grow when the value is first known, which it is not while it is null: the rest was asked for with it, or after it.
 */
export function useSettled(value: unknown): number {
  const [settled, setSettled] = useState(0);
  const before = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    const isFirst = before.current === null || before.current === value;
    before.current = value;
    if (isFirst) return;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      setSettled((count) => count + 1);
    }, settleMs);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return settled;
}
