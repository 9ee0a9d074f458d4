/**
 * Who is connected: at most so many in all and for each peer. Not a matter of bytes or commands.
 * Invariant: whoever has begun a mail keeps the place. When there is no room a newcomer takes that of the
 * connection that has said nothing of use for longest, so that a thousand silent ones do not keep a ping out.
 */
export interface Guest {
  readonly remoteAddress: string;
  /** In the middle of a mail. */
  readonly isBusy: boolean;
  /** Says that there is no room any more, and goes. */
  leave(): void;
}

export interface CrowdLimits {
  readonly connectionsMax: number;
  readonly connectionsPerPeerMax: number;
}

export class Crowd {
  readonly #limits: CrowdLimits;
  /** Both in the order of arrival. */
  readonly #all = new Set<Guest>();
  readonly #byPeer = new Map<string, Set<Guest>>();

  constructor(limits: CrowdLimits) {
    this.#limits = limits;
  }

  /** False when there is no room: everyone else is in the middle of a mail. */
  admit(guest: Guest): boolean {
    const peers = this.#byPeer.get(guest.remoteAddress) ?? new Set();
    if (peers.size >= this.#limits.connectionsPerPeerMax && !this.#makeRoom(peers)) return false;
    if (this.#all.size >= this.#limits.connectionsMax && !this.#makeRoom(this.#all)) return false;
    this.#all.add(guest);
    this.#byPeer.set(guest.remoteAddress, peers.add(guest));
    return true;
  }

  remove(guest: Guest): void {
    if (!this.#all.delete(guest)) return;
    const peers = this.#byPeer.get(guest.remoteAddress);
    peers?.delete(guest);
    if (peers?.size === 0) this.#byPeer.delete(guest.remoteAddress);
  }

  #makeRoom(guests: ReadonlySet<Guest>): boolean {
    for (const guest of guests) {
      if (guest.isBusy) continue;
      this.remove(guest);
      guest.leave();
      return true;
    }
    return false;
  }
}
