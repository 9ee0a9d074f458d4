/** What a listener to events wants, and who takes it: the contract between a call of the API and the hub. */
import type { EventType } from '../../../domain/views/event-answers.ts';
import type { EventPlace } from '../../../engine/contract/engine.ts';
import type { KeyId, ProjectId } from '../../../lib/ids.ts';
import type { StreamConnection } from '../../wire/message.ts';

export interface EventFilter {
  readonly types: ReadonlySet<EventType>;
  /** Of one of these checks: UUIDs, unique keys or slugs. Empty for all. */
  readonly checks: readonly string[];
  /** Of checks that have one of these tags. Empty for all. */
  readonly tags: readonly string[];
}

export interface Listening {
  readonly projectId: ProjectId;
  readonly keyId: KeyId;
  readonly readOnly: boolean;
  readonly filter: EventFilter;
  /** It gets what is behind this place. */
  readonly after: EventPlace;
  /** Said before everything else, as it is sent; empty for nothing. */
  readonly first: string;
}

export interface EventListeners {
  readonly size: number;
  countOf(projectId: ProjectId): number;
  listen(connection: StreamConnection, listening: Listening): void;
  /** Lets a page of JSON wait for its first event, unless too many do: then it resolves at once. */
  whileWaiting(wait: () => Promise<void>): Promise<void>;
}
