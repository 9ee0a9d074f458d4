/**
 * Turns values from the wire into a plain request: forwarded headers count only if they come from trusted peers. It gets
 * values, and does not know the native library.
 * Invariant: an address for limits (`clientAddr`) never comes from a header that an untrusted peer could have written.
 */
import { isIP } from 'node:net';
import { addressText, type CidrList, canonicalAddress, clientOfAddress } from '../../lib/addresses.ts';
import { cachedPeersMax } from '../limits.ts';

export interface Peer {
  readonly text: string;
  readonly trusted: boolean;
  /** Client that counts in limits if nothing is forwarded. */
  readonly client: string;
  /** Origin of a request about which no proxy says anything: the same object each time. */
  readonly origin: Origin;
}

export class Peers {
  readonly #trust: CidrList;
  readonly #scheme: Origin['scheme'];
  readonly #seen = new Map<string | number, Peer>();

  /** `scheme` is that of requests that no proxy forwards. */
  constructor(trust: CidrList, scheme: Origin['scheme'] = 'http') {
    this.#trust = trust;
    this.#scheme = scheme;
  }

  /** Returns the peer of these 4 or 16 address bytes. */
  of(bytes: Uint8Array): Peer {
    const key = keyOf(bytes);
    const seen = this.#seen.get(key);
    if (seen) return seen;
    const text = addressText(bytes);
    const origin = { remoteAddr: text, scheme: this.#scheme };
    const peer = { text, trusted: this.#trust.contains(text), client: clientOfAddress(text), origin };
    if (this.#seen.size >= cachedPeersMax) this.#seen.clear();
    this.#seen.set(key, peer);
    return peer;
  }

  trusts(address: string): boolean {
    return this.#trust.contains(address);
  }
}

/**
 * The peer of every open connection, while all have the same one, as is always the case behind a reverse proxy: asking the
 * library for a request's address costs as much as taking its ping.
 * Invariant: an answer is right or null. After a second address it is null until no connection is open.
 */
export class OnlyPeer {
  #open = 0;
  #peer: Peer | null = null;

  /** Null if the connections have several peers. */
  get peer(): Peer | null {
    return this.#peer;
  }

  opened(peer: Peer): void {
    if (this.#open === 0) this.#peer = peer;
    else if (this.#peer?.text !== peer.text) this.#peer = null;
    this.#open++;
  }

  closed(): void {
    this.#open--;
  }
}

/** IPv4 is a number, which needs no string. */
function keyOf(bytes: Uint8Array): string | number {
  if (bytes.length !== 4) return String.fromCharCode(...bytes);
  return ((bytes[0] ?? 0) << 24) | ((bytes[1] ?? 0) << 16) | ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0);
}

export interface Origin {
  readonly remoteAddr: string;
  readonly scheme: 'http' | 'https';
}

/**
 * Returns the origin of a request, for information: the leftmost address that a trusted peer forwards. Invalid addresses are
 * ignored.
 */
export function originOf(peer: Peer, forwardedFor: string, forwardedProto: string): Origin {
  if (!peer.trusted || (forwardedFor === '' && forwardedProto === '')) return peer.origin;
  const scheme = schemeOf(forwardedProto) ?? peer.origin.scheme;
  return { remoteAddr: hopsOf(forwardedFor)[0] ?? peer.text, scheme };
}

/**
 * Returns the sender of a request, for limits: the rightmost address that is not a trusted proxy, as `clientOfAddress` counts
 * it. `forwardedFor` must be all lines of that header as one list, because the client chooses the first one.
 */
export function clientOf(peers: Peers, peer: Peer, forwardedFor: string): string {
  if (!peer.trusted || forwardedFor === '') return peer.client;
  const hops = hopsOf(forwardedFor);
  const client = hops.findLast((hop) => !peers.trusts(hop)) ?? hops[0];
  return client === undefined ? peer.client : clientOfAddress(client);
}

function hopsOf(forwardedFor: string): string[] {
  if (forwardedFor === '') return [];
  return forwardedFor
    .split(',')
    .map(withoutPort)
    .filter((hop) => hop.length <= addressCharsMax && isIP(hop) !== 0)
    .map(canonicalAddress);
}

function schemeOf(forwardedProto: string): Origin['scheme'] | null {
  if (forwardedProto === '') return null;
  return forwardedProto.trim().toLowerCase() === 'https' ? 'https' : 'http';
}

/** The length of an IPv6 address that ends as an IPv4 one. A zone of any length may follow, and is logged with each ping. */
const addressCharsMax = 45;

/** Returns `1.2.3.4:567` and `[2001:db8::1]:567` without their port. */
function withoutPort(hop: string): string {
  const trimmed = hop.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed);
  if (bracketed) return bracketed[1] ?? '';
  return /^[\d.]+:\d+$/.test(trimmed) ? trimmed.slice(0, trimmed.indexOf(':')) : trimmed;
}
