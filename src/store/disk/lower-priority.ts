/**
 * Lets pings go first: on a machine with few cores a thread of the store must not take the processor from them. Linux only.
 * Invariant: it concerns the thread that calls it, never the whole process.
 */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** `niceness` as of `nice`: up to 19. */
export function lowerPriority(niceness: number): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, niceness);
  } catch {
    // No such file elsewhere, or not allowed: then it competes as an equal.
  }
}
