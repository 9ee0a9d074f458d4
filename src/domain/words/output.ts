/**
 * The last part of what a job printed, as text for people.
 * Invariant: pure; no more than `outputBytesMax` bytes of UTF-8, cut between two characters, and what was cut is counted.
 */
import { outputBytesMax } from '../limits.ts';
import { terminalText } from './terminal-text.ts';

export interface Output {
  readonly text: string;
  /** Bytes of the whole output; 0 when nothing was cut. */
  readonly cutFromBytes: number;
}

/** Null when there is nothing to show. */
export function outputOf(body: string): Output | null {
  const bytes = Buffer.from(body);
  const isCut = bytes.length > outputBytesMax;
  const text = readable(isCut ? lastBytes(bytes) : body);
  if (text.trim() === '') return null;
  return { text, cutFromBytes: isCut ? bytes.length : 0 };
}

function lastBytes(bytes: Buffer): string {
  let from = bytes.length - outputBytesMax;
  while (isContinuation(bytes[from])) from++;
  return bytes.toString('utf8', from);
}

/** Whether the byte continues a character: all bytes of one but the first begin with the bits 10. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Lines end with a line feed, and no control character is left but that and the tab. */
function readable(text: string): string {
  return terminalText(text).replace(/^\n+/, '').trimEnd();
}
