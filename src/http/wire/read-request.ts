/**
 * From the wire to a plain request: what a proxy forwards is believed only of trusted peers. Not the native library:
 * it is handed values.
 * Invariant: what guards something (`clientAddr`) never comes from a header that an untrusted peer could have written.
 */
import { isIP } from 'node:net';
import { addressText, type CidrList, canonicalAddress, clientOfAddress } from '../../lib/addresses.ts';

export interface Peer {
  readonly text: string;
  readonly trusted: boolean;
  /** What counts as one client when nothing is forwarded. */
  readonly client: string;
  /** Where a request came from that no proxy says anything of: the same each time. */
  readonly origin: Origin;
}

/** Peers seen lately: text and trust of an address are worth 2 µs a request. */
const cachedPeersMax = 10_000;

export class Peers {
  readonly #trust: CidrList;
  readonly #scheme: Origin['scheme'];
  readonly #seen = new Map<string | number, Peer>();

  /** `scheme`: of requests that no proxy forwards. */
  constructor(trust: CidrList, scheme: Origin['scheme'] = 'http') {
    this.#trust = trust;
    this.#scheme = scheme;
  }

  /** The peer of these 4 or 16 address bytes. */
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
 * The peer of every open connection, while they all have the same one: behind a reverse proxy, that is always. Asking
 * the library for a request's address costs as much as taking its ping.
 * Invariant: an answer is right or null; from a second address on it is null until no connection is open.
 */
export class OnlyPeer {
  #open = 0;
  #peer: Peer | null = null;

  /** Null when the connections have several peers. */
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

/** IPv4 as a number, which costs no string. */
function keyOf(bytes: Uint8Array): string | number {
  if (bytes.length !== 4) return String.fromCharCode(...bytes);
  return ((bytes[0] ?? 0) << 24) | ((bytes[1] ?? 0) << 16) | ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0);
}

export interface Origin {
  readonly remoteAddr: string;
  readonly scheme: 'http' | 'https';
}

/** Where a request came from, for information: the leftmost address that a trusted peer forwards. Invalid ones count for nothing. */
export function originOf(peer: Peer, forwardedFor: string, forwardedProto: string): Origin {
  if (!peer.trusted || (forwardedFor === '' && forwardedProto === '')) return peer.origin;
  const scheme = schemeOf(forwardedProto) ?? peer.origin.scheme;
  return { remoteAddr: hopsOf(forwardedFor)[0] ?? peer.text, scheme };
}

/**
 * Who sent a request, for guarding: the rightmost address that is no trusted proxy, as `clientOfAddress` counts it.
 * `forwardedFor` must be all lines of that header, as one list: the client chooses the first one.
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

/** Of an IPv6 address that ends as an IPv4 one. A zone may follow, of any length, and is logged with each ping. */
const addressCharsMax = 45;

/** `1.2.3.4:567` and `[2001:db8::1]:567` without their port. */
function withoutPort(hop: string): string {
  const trimmed = hop.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed);
  if (bracketed) return bracketed[1] ?? '';
  return /^[\d.]+:\d+$/.test(trimmed) ? trimmed.slice(0, trimmed.indexOf(':')) : trimmed;
}
