/**
 * Limits how many connections are open, in all and per peer. It counts no bytes and no commands.
 * Invariant: a connection in the middle of a mail is never evicted. At the limit a new connection takes the place of the
 * idle one that was opened first, so that a thousand silent ones do not keep a ping out.
 */
import { clientOfAddress } from '../lib/addresses.ts';

export interface LimitedConnection {
  readonly remoteAddress: string;
  /** Whether it is in the middle of a mail. */
  readonly isBusy: boolean;
  /** Replies that there are too many connections, and closes this one. */
  evict(): void;
}

export interface ConnectionLimits {
  readonly connectionsMax: number;
  readonly connectionsPerPeerMax: number;
}

export class ConnectionLimiter {
  readonly #limits: ConnectionLimits;
  /** The connections in the order in which they were opened, in all and by peer. */
  readonly #all = new Set<LimitedConnection>();
  readonly #byPeer = new Map<string, Set<LimitedConnection>>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Returns false at the limit when no other connection can be evicted: all are in the middle of a mail. */
  add(connection: LimitedConnection): boolean {
    const ofPeer = this.#byPeer.get(clientOfAddress(connection.remoteAddress)) ?? new Set();
    if (ofPeer.size >= this.#limits.connectionsPerPeerMax && !this.#evictIdle(ofPeer)) return false;
    if (this.#all.size >= this.#limits.connectionsMax && !this.#evictIdle(this.#all)) return false;
    this.#all.add(connection);
    this.#byPeer.set(clientOfAddress(connection.remoteAddress), ofPeer.add(connection));
    return true;
  }

  remove(connection: LimitedConnection): void {
    if (!this.#all.delete(connection)) return;
    const ofPeer = this.#byPeer.get(clientOfAddress(connection.remoteAddress));
    ofPeer?.delete(connection);
    if (ofPeer?.size === 0) this.#byPeer.delete(clientOfAddress(connection.remoteAddress));
  }

  #evictIdle(connections: ReadonlySet<LimitedConnection>): boolean {
    for (const connection of connections) {
      if (connection.isBusy) continue;
      this.remove(connection);
      connection.evict();
      return true;
    }
    return false;
  }
}
