/**
 * The open live connections with the topics of each. For every check that changes the number of listeners to a topic is needed,
 * so it is counted, not searched for. `server` owns the connections themselves.
 */
import type { LiveAccess } from './message.ts';

/** Data of one connection. */
export interface Listener {
  readonly access: LiveAccess;
  /** Topics, each once: those of the access, and those that it watches. */
  topics: readonly string[];
}

/** The part of a connection that this file needs. */
export interface LiveSocket {
  getUserData(): Listener;
  subscribe(topic: string): unknown;
  unsubscribe(topic: string): unknown;
  close(): unknown;
}

export class LiveListeners {
  readonly #sockets = new Set<LiveSocket>();
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#sockets.size;
  }

  count(topic: string): number {
    return this.#counts.get(topic) ?? 0;
  }

  topics(): readonly string[] {
    return [...this.#counts.keys()];
  }

  add(socket: LiveSocket): void {
    this.#sockets.add(socket);
    for (const topic of socket.getUserData().topics) this.#subscribe(socket, topic);
  }

  /** Watches what `text` names from now on, in place of what it watched before. Returns whether any of it is new. */
  watch(socket: LiveSocket, text: string): boolean {
    const listener = socket.getUserData();
    const { access, topics } = listener;
    const wanted = [...new Set([...access.topics, ...access.watch(text)])];
    const fresh = wanted.filter((topic) => !topics.includes(topic));
    for (const topic of fresh) this.#subscribe(socket, topic);
    for (const topic of topics) {
      if (wanted.includes(topic)) continue;
      socket.unsubscribe(topic);
      this.#uncount(topic);
    }
    listener.topics = wanted;
    return fresh.length > 0;
  }

  /** Forgets a connection, which is closed already. */
  remove(socket: LiveSocket): void {
    this.#sockets.delete(socket);
    for (const topic of socket.getUserData().topics) this.#uncount(topic);
  }

  /** Closes the connections of all who listen to `topic`. */
  dismiss(topic: string): void {
    for (const socket of this.#sockets) if (socket.getUserData().topics.includes(topic)) socket.close();
  }

  #subscribe(socket: LiveSocket, topic: string): void {
    socket.subscribe(topic);
    this.#counts.set(topic, this.count(topic) + 1);
  }

  #uncount(topic: string): void {
    const left = this.count(topic) - 1;
    if (left > 0) this.#counts.set(topic, left);
    else this.#counts.delete(topic);
  }
}
