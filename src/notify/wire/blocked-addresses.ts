/**
 * Which addresses an integration may not send to: a webhook must not become a way into the network that Knell runs in.
 * Invariant: the decision is about an address that is about to be connected to, never about a name.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { CidrList } from '../../lib/addresses.ts';

/** IANA's special-purpose registries: whatever is not the public Internet, and multicast. */
const blockedV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** All that is not global unicast, and what carries IPv4 inside: 6to4, Teredo, documentation. */
const blockedInGlobalV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const v4 = new BlockList();
for (const [address, bits] of blockedV4) v4.addSubnet(address, bits, 'ipv4');
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');
const v6 = new BlockList();
for (const [address, bits] of blockedInGlobalV6) v6.addSubnet(address, bits, 'ipv6');

/** Whether `address` may be connected to; `allowed` is what the owner has opened. */
export function mayReach(address: string, allowed: CidrList): boolean {
  const plain = unmapped(address);
  if (allowed.contains(plain)) return true;
  if (isIPv4(plain)) return !v4.check(plain, 'ipv4');
  return isIPv6(plain) && globalV6.check(plain, 'ipv6') && !v6.check(plain, 'ipv6');
}

/** IPv4 inside IPv6 (`::ffff:10.0.0.1`, `::ffff:a00:1`) as IPv4. */
function unmapped(address: string): string {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (dotted?.[1]) return dotted[1];
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (!hex) return address;
  const [high, low] = [Number.parseInt(hex[1] ?? '', 16), Number.parseInt(hex[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
