/**
 * The logo of a status page: PNG or JPEG, recognized by its first bytes. SVG is refused: it is a document that may contain
 * scripts, and a filter for them would have to be right for every future browser.
 */

import { createHash } from 'node:crypto';
import type { StatusPage } from '../domain/accounts/status-page.ts';
import { logoPixelsMax } from './limits.ts';

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const jpeg = Buffer.from('ffd8ff', 'hex');

/** Returns the media type of an image; null for what is neither PNG nor JPEG. */
export function logoType(bytes: Buffer): 'image/png' | 'image/jpeg' | null {
  if (bytes.subarray(0, png.length).equals(png)) return 'image/png';
  return bytes.subarray(0, jpeg.length).equals(jpeg) ? 'image/jpeg' : null;
}

/** The error in an uploaded logo; null for none. One that is cut off would be a broken picture for all readers. */
export function logoError(bytes: Buffer): string | null {
  const type = logoType(bytes);
  if (type === null) return 'the logo must be a PNG or JPEG file';
  const size = type === 'image/png' ? pngSize(bytes) : jpegSize(bytes);
  if (size === null) return 'the logo is damaged or cut off: save it as PNG or JPEG again';
  const isLarge = Math.max(...size) > logoPixelsMax;
  return isLarge ? `the logo has at most ${logoPixelsMax} × ${logoPixelsMax} pixels` : null;
}

type Size = readonly [width: number, height: number];

/** Reads the size of a PNG. A file has chunks of a length, a type, data and a checksum, from IHDR to IEND (PNG, 5.3). */
function pngSize(bytes: Buffer): Size | null {
  const typeAt = (at: number): string => bytes.toString('latin1', at + 4, at + 8);
  if (bytes.length < 33 || typeAt(png.length) !== 'IHDR') return null;
  const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] as const;
  let hasData = false;
  for (let at = png.length; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (typeAt(at) === 'IDAT') hasData = true;
    if (typeAt(at) === 'IEND') return hasData && Math.min(...size) > 0 ? size : null;
  }
  return null;
}

/** Reads the size of a JPEG, from the header of its frame. Segments have a marker, a length and data (ITU T.81, B.1). */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes.lastIndexOf(endOfImage) < 4) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === startOfScan) return null;
    if (!isFrame(marker)) continue;
    const size = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)] as const;
    return Math.min(...size) > 0 ? size : null;
  }
  return null;
}

const endOfImage = Buffer.from('ffd9', 'hex');
const startOfScan = 0xda;

/** Whether a marker begins a frame: SOF0 to SOF15, but for three numbers between them that are other markers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

interface Logo {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Logos by the page they belong to: each is decoded once for each state of its page. */
const decoded = new WeakMap<StatusPage, Logo>();

export function logoOf(page: StatusPage): Logo | null {
  const known = decoded.get(page);
  if (known) return known;
  const bytes = Buffer.from(page.logo, 'base64');
  const type = logoType(bytes);
  if (type === null) return null;
  const logo = {
    type,
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
  decoded.set(page, logo);
  return logo;
}
