/** What an integration is sent that is notified after a delay, in a random life of alerting, and what must be. */
import { quietHoursOf, windowFor } from '../../src/domain/alerting/maintenance.ts';
import type { Check } from '../../src/domain/check/check.ts';
import type { EngineRead } from '../../src/engine/contract/engine.ts';
import { minute, NEVER, second } from '../../src/lib/units.ts';

/** An audit of one check at a moment at which nothing is on its way. */
interface Moment {
  readonly read: EngineRead;
  readonly check: Check;
  readonly nowMs: number;
}

export const lateDelayS = 300;

/** A window that is ended before its time is noticed a minute later. */
const slackMs = 2 * minute;

export class SentLate {
  /** What it was sent last of each check; `paused`: that it is down, before it was paused. */
  readonly #sent = new Map<string, string>();
  /** When the windows end that were on about each check. */
  readonly #windowUntilMs = new Map<string, number>();

  /** What is wrong with it; empty for nothing. */
  came(name: string, status: string, { read, check, nowMs }: Moment): string {
    const before = this.#sent.get(name);
    this.#sent.set(name, status);
    if (status === 'up') {
      const isKnown = before === 'down' || before === 'paused' || wasSnoozed({ read, check, nowMs });
      return isKnown ? '' : `${name} was sent late to be up, and not to be down`;
    }
    const isHeld =
      check.snooze || check.hold?.wasDown === false || windowUntilMs({ read, check, nowMs }) > nowMs;
    return isHeld ? `${name} is held back, and was sent late` : '';
  }

  paused(name: string): void {
    if (this.#sent.get(name) === 'down') this.#sent.set(name, 'paused');
  }

  audit(name: string, { read, check, nowMs }: Moment): void {
    const sent = this.#sent.get(name);
    const untilMs = Math.max(this.#windowUntilMs.get(name) ?? 0, windowUntilMs({ read, check, nowMs }));
    this.#windowUntilMs.set(name, untilMs);
    if (check.hold || check.snooze) return;
    const { status } = check.state;
    if (status === 'up' && sent === 'down') throw new Error(`${name} is up, and that was not sent late`);
    const dueMs = (read.lastChange(check.id)?.atMs ?? NEVER) + lateDelayS * second;
    const isDue = nowMs > Math.max(untilMs, dueMs) + slackMs;
    if (status === 'down' && isDue && sent !== 'down' && sent !== 'paused')
      throw new Error(`${name} is down, and that was not sent late`);
  }

  mustBeOver(): void {
    for (const [name, status] of this.#sent)
      if (status === 'down') throw new Error(`${name} was not sent late to be up at the end`);
  }
}

/** A snooze, or a hold after it, has ended an alert. Such a hold knows only what came since it began: an end may be sent too much. */
function wasSnoozed({ read, check, nowMs }: Moment): boolean {
  return read
    .notifications(check.id, { fromMs: 0, untilMs: nowMs }, 100)
    .some(({ channelName, error }) => channelName === 'late' && /^(snoozed|the check was up by)/.test(error));
}

/** The end of the maintenance about the check that is on, and of the integration's quiet hours; 0 for neither. */
function windowUntilMs({ read, check, nowMs }: Moment): number {
  const windows = read.maintenance(check.projectId);
  const channelId = read.channels(check.projectId).find(({ name }) => name === 'late')?.id;
  const hours = channelId && quietHoursOf(windows, { channelId, check }, nowMs);
  return Math.max(windowFor(windows, check, nowMs)?.untilMs ?? 0, hours?.untilMs ?? 0);
}

/** What went down and up again in a snooze that the hold came after is over: the snooze is in the log. */
export function mustBeLogged(read: EngineRead, name: string, { id, hold, state }: Check): void {
  const isOver = (atMs: number): boolean => state.status !== 'down' && atMs < (hold?.atMs ?? 0);
  if (!hold?.withheld.some(({ to, atMs }) => to === 'down' && !isOver(atMs))) return;
  const lines = read.notifications(id, { fromMs: 0, untilMs: NEVER }, 1_000);
  if (!lines.some(({ outcome }) => outcome === 'held'))
    throw new Error(`${name} is held back for ${hold.reason}, and its log does not say so`);
}
