/** One string for equal ones, for as long as rows are decoded: see `Intern` in `named-record`. */
import { internedMax } from '../disk/limits.ts';
import type { Intern } from './named-record.ts';
import { uuidBytes, uuidText } from './uuid.ts';

export function createIntern(): Intern {
  const strings = new Map<string, string>();
  const uuids = new Map<number, KnownUuid>();
  return {
    text(text) {
      const known = strings.get(text);
      if (known !== undefined) return known;
      if (strings.size < internedMax) strings.set(text, text);
      return text;
    },
    uuid(bytes, start) {
      const word = wordAt(bytes, start);
      const known = uuids.get(word);
      if (known && isSame(known.bytes, bytes, start)) return known.text;
      const text = uuidText(bytes, start);
      if (known === undefined && uuids.size < internedMax)
        uuids.set(word, { bytes: Uint8Array.from(bytes.subarray(start, start + uuidBytes)), text });
      return text;
    },
  };
}

/** Found by the first of its words: of two that share it, the later is not kept. */
interface KnownUuid {
  readonly bytes: Uint8Array;
  readonly text: string;
}

function wordAt(bytes: Uint8Array, start: number): number {
  const high = ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);
  return (high << 16) | ((bytes[start + 2] ?? 0) << 8) | (bytes[start + 3] ?? 0);
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < uuidBytes; at++) if (known[at] !== bytes[start + at]) return false;
  return true;
}
