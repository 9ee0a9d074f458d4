/**
 * Live updates over a cluster: what the leader publishes to open pages goes to the listeners of every node, and the leader knows
 * which topics any of them listens to. Not here: what is published (`http/web/live/live`), the listeners themselves (`http/wire/server`).
 * Invariants: what no page listens to costs no message. An end of listening (`dismiss`) goes to every node, whether the leader knows of a
 * listener there or not. The bus may lose a message: a page that missed one is right again with its next update of that check.
 */
import { ByteReader } from '../../store/codec/byte-reader.ts';
import { ByteWriter, stringBytesMax } from '../../store/codec/byte-writer.ts';
import type { Scheduler } from '../../store/disk/scheduler.ts';
import type { Bus } from '../bus/bus.ts';
import { unlessDamaged } from './request-codec.ts';
import type { Subjects } from './subjects.ts';

export interface LiveUpdatesLimits {
  readonly everyMs: number;
  readonly silenceMsMax: number;
  /** Topics of one node. */
  readonly topicsMax: number;
}

/** This node's own listeners. */
export interface LocalListeners {
  publish(topic: string, text: string): void;
  dismiss(topic: string): void;
  isListenedTo(topic: string): boolean;
  /** Each once. */
  topics(): readonly string[];
}

interface LiveUpdatesOptions {
  /** Id of this process: see `Client`. */
  readonly id: number;
  readonly bus: Bus;
  readonly subjects: Pick<Subjects, 'liveUpdates' | 'liveInterest'>;
  readonly scheduler: Scheduler;
  readonly limits: LiveUpdatesLimits;
  readonly local: LocalListeners;
  /**
   * Called with the number of topics that any node listens to, whenever that may have changed; `isMore`: a page of this node, or
   * another node, listens to what it did not listen to before.
   */
  readonly listening: (topics: number, isMore: boolean) => void;
}

interface Remote {
  readonly topics: ReadonlySet<string>;
  /** Number of times that its pages had begun to listen to more; empty for an older Knell. */
  readonly mores: string;
  readonly saidAtMs: number;
}

const version = 1;
const moresPrefix = 'pages that began ';
const updateKinds = { publish: 1, dismiss: 2 } as const;

export class LiveUpdates {
  readonly #options: LiveUpdatesOptions;
  readonly #remotes = new Map<number, Remote>();
  readonly #writer = new ByteWriter(1000);
  readonly #reader = new ByteReader();
  readonly #subscriptions: readonly { stop(): void }[];
  #saidTopics: readonly string[] = [];
  #cancel: () => void;
  #cancelSoon: (() => void) | null = null;
  /** Whether pages have begun to listen to more since the last report. */
  #isMore = false;
  /** Number of times that pages of this node have begun to listen to more, whether other pages of it already did or not. */
  #mores = 0;

  constructor(options: LiveUpdatesOptions) {
    this.#options = options;
    const { bus, subjects } = options;
    this.#subscriptions = [
      bus.subscribe(subjects.liveUpdates, (message) => this.#takeUpdate(message)),
      bus.subscribe(subjects.liveInterest, (message) => this.#takeInterest(message)),
    ];
    this.#cancel = options.scheduler.after(options.limits.everyMs, () => this.#everySecond());
  }

  /** Publishes an update for the leader. */
  readonly publish = (topic: string, text: string): void => {
    const { local, bus } = this.#options;
    local.publish(topic, text);
    if (!this.#isListenedToRemotely(topic)) return;
    if (12 + stringBytesMax(topic) + stringBytesMax(text) > bus.messageBytesMax) {
      // The pages come back and read everything anew.
      this.#send(updateKinds.dismiss, topic, '');
    } else this.#send(updateKinds.publish, topic, text);
  };

  readonly dismiss = (topic: string): void => {
    this.#options.local.dismiss(topic);
    this.#send(updateKinds.dismiss, topic, '');
  };

  readonly isListenedTo = (topic: string): boolean =>
    this.#options.local.isListenedTo(topic) || this.#isListenedToRemotely(topic);

  /** Some page of this node has begun or ended to listen. */
  changed(isMore = false): void {
    this.#isMore ||= isMore;
    if (isMore) this.#mores++;
    this.#cancelSoon ??= this.#options.scheduler.soon(() => {
      this.#cancelSoon = null;
      this.#say();
      this.#count(this.#isMore);
      this.#isMore = false;
    });
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#cancel();
    this.#cancelSoon?.();
  }

  #isListenedToRemotely(topic: string): boolean {
    for (const { topics } of this.#remotes.values()) if (topics.has(topic)) return true;
    return false;
  }

  #everySecond(): void {
    const { scheduler, limits } = this.#options;
    const oldestMs = scheduler.elapsedMs() - limits.silenceMsMax;
    for (const [id, { saidAtMs }] of this.#remotes) if (saidAtMs <= oldestMs) this.#remotes.delete(id);
    if (this.#options.local.topics().length > 0) this.#say();
    this.#count();
    this.#cancel = scheduler.after(limits.everyMs, () => this.#everySecond());
  }

  #count(isMore = false): void {
    const topics = new Set(this.#options.local.topics());
    for (const remote of this.#remotes.values()) for (const topic of remote.topics) topics.add(topic);
    this.#options.listening(topics.size, isMore);
  }

  /** Publishes this node's topics. Topics that do not fit are left out: those pages are updated when they are loaded again. */
  #say(): void {
    const { id, bus, subjects, limits, local } = this.#options;
    const topics = local.topics().slice(0, limits.topicsMax);
    if (topics.length === 0 && this.#saidTopics.length === 0) return;
    this.#saidTopics = topics;
    const writer = this.#writer;
    writer.clear();
    writer.reserve(10);
    writer.u8(version);
    writer.u32(id);
    // An older Knell takes it for a topic that nobody publishes to.
    for (const topic of [`${moresPrefix}${this.#mores}`, ...topics]) {
      if (writer.length + stringBytesMax(topic) > bus.messageBytesMax) break;
      writer.reserve(stringBytesMax(topic));
      writer.string(topic);
    }
    bus.publish(subjects.liveInterest, writer.copy());
  }

  #takeInterest(message: Uint8Array): void {
    const reader = this.#reader.open(message);
    const said = unlessDamaged(() => {
      if (reader.u8() !== version) return null;
      const id = reader.u32();
      const topics = new Set<string>();
      let mores = '';
      while (reader.left > 0) {
        const topic = reader.string();
        if (topic.startsWith(moresPrefix)) mores = topic;
        else topics.add(topic);
      }
      return { id, topics, mores };
    });
    if (said === null || said.id === this.#options.id) return;
    const { id, topics, mores } = said;
    const before = this.#remotes.get(id);
    const isMore = before?.mores !== mores || [...topics].some((topic) => !before.topics.has(topic));
    this.#remotes.set(id, { topics, mores, saidAtMs: this.#options.scheduler.elapsedMs() });
    this.#count(isMore);
  }

  #send(kind: number, topic: string, text: string): void {
    const { id, bus, subjects } = this.#options;
    const writer = this.#writer;
    writer.clear();
    writer.reserve(6 + stringBytesMax(topic) + stringBytesMax(text));
    writer.u8(version);
    writer.u32(id);
    writer.u8(kind);
    writer.string(topic);
    writer.string(text);
    bus.publish(subjects.liveUpdates, writer.copy());
  }

  #takeUpdate(message: Uint8Array): void {
    const reader = this.#reader.open(message);
    const updates = unlessDamaged(() => {
      if (reader.u8() !== version) return null;
      return { id: reader.u32(), kind: reader.u8(), topic: reader.string(), text: reader.string() };
    });
    if (updates === null || updates.id === this.#options.id) return;
    if (updates.kind === updateKinds.publish) this.#options.local.publish(updates.topic, updates.text);
    else if (updates.kind === updateKinds.dismiss) this.#options.local.dismiss(updates.topic);
  }
}
