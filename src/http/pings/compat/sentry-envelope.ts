/**
 * Reads an envelope of a Sentry SDK: a header, and items, each with a header and its bytes.
 * Invariant: pure and bounded; of all items only check-ins are looked into.
 */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { checkInBytesMax, envelopeBytesMax, envelopeCheckInsMax, envelopeItemsMax } from '../../limits.ts';
import type { Refusal } from './compat-endpoint.ts';

export type Json = Readonly<Record<string, unknown>>;

interface CheckIns {
  /** Public key of the DSN in the header; empty if it has none. */
  readonly key: string;
  readonly checkIns: readonly Json[];
}

const unpackers: ReadonlyMap<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer> =
  new Map([
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
    ['br', brotliDecompressSync],
  ]);

const newline = 10;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null for what is no JSON object, or more than `checkInBytesMax`. */
export function objectIn({ bytes }: { readonly bytes: Buffer }): Json | null {
  if (bytes.length > checkInBytesMax) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** `encoding` is the Content-Encoding; empty for none. */
export function checkInsIn(body: Uint8Array, encoding: string): CheckIns | Refusal {
  const bytes = unpacked(body, encoding.trim().toLowerCase());
  if ('status' in bytes) return bytes;
  const first = lineAt(bytes, 0);
  const header = objectIn(first);
  if (header === null)
    return { status: 400, words: 'the body is no envelope: its first line is no JSON object of up to 10 kB' };
  const checkIns: Json[] = [];
  let at = first.nextAt;
  for (let items = 0; at < bytes.length; items++) {
    if (items === envelopeItemsMax)
      return { status: 400, words: `an envelope has at most ${envelopeItemsMax} items` };
    const line = lineAt(bytes, at);
    at = line.nextAt;
    // An empty line may be the last one.
    if (line.bytes.length === 0) continue;
    const item = objectIn(line);
    if (item === null)
      return { status: 400, words: 'the header of an item is no JSON object of up to 10 kB' };
    const payload = payloadAt(bytes, at, item.length);
    at = payload.nextAt;
    if (item.type !== 'check_in') continue;
    const checkIn = objectIn(payload);
    if (checkIn === null) return { status: 400, words: 'a check-in is no JSON object of up to 10 kB' };
    if (checkIns.length === envelopeCheckInsMax)
      return { status: 400, words: `an envelope has at most ${envelopeCheckInsMax} check-ins` };
    checkIns.push(checkIn);
  }
  return { key: keyIn(header.dsn), checkIns };
}

function unpacked(body: Uint8Array, encoding: string): Buffer | Refusal {
  if (encoding === '' || encoding === 'identity') return Buffer.from(body);
  const unpack = unpackers.get(encoding);
  if (!unpack) return { status: 415, words: 'send the envelope as it is, or with gzip, deflate or br' };
  try {
    return unpack(body, { maxOutputLength: envelopeBytesMax });
  } catch {
    return { status: 400, words: `the body is not ${encoding}, or unpacks to more than 500 kB` };
  }
}

interface Part {
  readonly bytes: Buffer;
  /** Where the next one begins. */
  readonly nextAt: number;
}

/** A line, without its end. */
function lineAt(bytes: Buffer, at: number): Part {
  const found = bytes.indexOf(newline, at);
  const end = found < 0 ? bytes.length : found;
  return { bytes: bytes.subarray(at, end), nextAt: end + 1 };
}

/** An item's bytes: as many as its header says, or else a line. */
function payloadAt(bytes: Buffer, at: number, length: unknown): Part {
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) return lineAt(bytes, at);
  const end = Math.min(bytes.length, at + length);
  return { bytes: bytes.subarray(at, end), nextAt: end + 1 };
}

function keyIn(dsn: unknown): string {
  return typeof dsn === 'string' && URL.canParse(dsn) ? new URL(dsn).username : '';
}
