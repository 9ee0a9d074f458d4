/**
 * Which failed notifications the page of a check, or of an incident, offers to send again: those that say what the check still is. The
 * alert of an outage that is over would be untrue; it can be retried where all failed notifications are listed. One to an integration
 * that was deleted can be sent to nobody.
 */
import type { ProjectCall } from '../calls/call.ts';

/** Asked newest first, it offers each delivery once: one that was retried and failed again is in the log twice. */
export function offersRetry({ engine, commands }: ProjectCall['context']): (delivery: string) => boolean {
  const seen = new Set<string>();
  return (id) => {
    if (seen.has(id)) return false;
    seen.add(id);
    const delivery = commands.outbox.get(id);
    if (delivery?.state !== 'dead' || engine.read.channel(delivery.channelId) === null) return false;
    return engine.read.lastChange(delivery.checkId)?.atMs === delivery.change.atMs;
  };
}
