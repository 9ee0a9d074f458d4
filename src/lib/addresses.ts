/**
 * Network addresses: lists of networks, and the form in which an address is shown.
 */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** The address of a listener. */
export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

export interface CidrList {
  contains(address: string): boolean;
}

/** Networks or single addresses, comma-separated; empty for none. Null when one of them is no address. */
export function parseCidrList(text: string): CidrList | null {
  const blocks = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [address = '', prefix, ...rest] = entry.split('/');
    const bits = isIPv6(address) ? 128 : 32;
    const length = prefix === undefined ? bits : Number(prefix);
    const valid = isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix ?? '0');
    if (!valid || length > bits) return null;
    blocks.addSubnet(address, length, bits === 128 ? 'ipv6' : 'ipv4');
  }
  return {
    contains: (address) => isIP(address) !== 0 && blocks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'),
  };
}

/** An address as text from its 4 or 16 bytes; IPv4 in IPv6 is shown as IPv4. Empty for anything else. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return '';
  const mapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (mapped) return bytes.subarray(12).join('.');
  const groups: string[] = [];
  for (let at = 0; at < 16; at += 2)
    groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return compressed(groups);
}

/** The 4 or 16 bytes of an address, without its zone; none for what is no address. */
export function addressBytes(text: string): Uint8Array {
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number);
  if (!isIPv6(text)) return noBytes;
  const [head = [], tail] = (text.split('%')[0] ?? '').split('::').map(groupsOf);
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<number>(missing).fill(0), ...(tail ?? [])];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 255]));
}

const noBytes = new Uint8Array(0);

/** Groups in a part of an IPv6 address that `::` does not divide; an IPv4 address at its end is two groups. */
function groupsOf(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

/** One spelling for each address: IPv4 also where it was written as IPv6. The text itself when it is no address. */
export function canonicalAddress(text: string): string {
  if (!isIPv6(text)) return text;
  const zone = text.indexOf('%');
  return addressText(addressBytes(text)) + (zone < 0 ? '' : text.slice(zone));
}

/**
 * The unit that counts as one client: an IPv4 address, or the network of an IPv6 address. A home or a server has a /64 of its
 * own, so that counting single addresses would count nothing.
 */
export function clientOfAddress(text: string): string {
  const address = canonicalAddress(text);
  if (!isIPv6(address)) return address;
  return `${addressText(Uint8Array.from([...addressBytes(address).subarray(0, 8), ...hostZeros]))}/64`;
}

const hostZeros: readonly number[] = Array(8).fill(0);

/** RFC 5952: the longest run of two or more zero groups, the first of equals, becomes `::`. */
function compressed(groups: readonly string[]): string {
  let best = { start: 0, length: 1 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
  }
  if (best.length < 2) return groups.join(':');
  return `${groups.slice(0, best.start).join(':')}::${groups.slice(best.start + best.length).join(':')}`;
}
