/**
 * How far an integration of the kind `events` has come: which events it was sent, and which of them its receiver did not take.
 * Invariant: all events behind its place that it wants are still to be sent; none before it is, but for those in `dead`.
 */
import type { ChannelId, ProjectId } from '../../lib/ids.ts';
import type { Growing } from '../check/unknown-fields.ts';

/** An event that was given up: its receiver refused it, or failed for too long. */
export interface DeadEvent extends Growing {
  /** The id that the API has of the event. */
  readonly id: string;
  readonly type: string;
  /** Name of its check; empty for none. */
  readonly about: string;
  /** When it was given up, epoch milliseconds. */
  readonly endedMs: number;
  readonly attempts: number;
  readonly error: string;
}

export interface EventFeed extends Growing {
  /** The integration's id. */
  readonly id: ChannelId;
  readonly projectId: ProjectId;
  /** The journal that the place is in, and the place: see `EventPlace` of the store. */
  readonly epoch: string;
  readonly seq: number;
  readonly place: number;
  /** Oldest first. */
  readonly dead: readonly DeadEvent[];
}
