/**
 * The logo of a status page: PNG or JPEG, known by its first bytes. SVG is refused: it is a document that may hold scripts, and
 * what makes one harmless would have to be right for every future browser.
 */
import { createHash } from 'node:crypto';
import type { StatusPage } from '../../domain/status-page.ts';

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const jpeg = Buffer.from('ffd8ff', 'hex');

/** Null for what is neither. */
export function logoType(bytes: Buffer): 'image/png' | 'image/jpeg' | null {
  if (bytes.subarray(0, png.length).equals(png)) return 'image/png';
  return bytes.subarray(0, jpeg.length).equals(jpeg) ? 'image/jpeg' : null;
}

interface Logo {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Decoded once for each state of a page. */
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
