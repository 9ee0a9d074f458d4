/** What rules of retention do, in words: the same on the page and in commands. Pure. */
import { day, hour } from '../../lib/units.ts';
import { counted } from '../words/counted.ts';
import type { Freed } from './would-free.ts';

export interface PreviewFigures extends Freed {
  readonly checks: number;
  /** Checks that were not looked at, as there are so many. */
  readonly checksLeftOut: number;
}

/** `Would drop 1,204 pings and 312 outputs, 48 MB.` */
export function previewWords({ pings, bodies, bytes, checks, checksLeftOut }: PreviewFigures): string {
  const rest =
    checksLeftOut === 0 ? '' : ` Of ${counted(checks, 'check')}; ${checksLeftOut} more were not looked at.`;
  if (pings === 0 && bodies === 0) return `Would drop nothing that is there now.${rest}`;
  const parts = [
    ...(pings > 0 ? [counted(pings, 'ping')] : []),
    ...(bodies > 0 ? [`${counted(bodies, 'output')}, ${sizeOf(bytes)}`] : []),
  ];
  return `Would drop ${parts.join(' and ')}.${rest}`;
}

/** Before rules are saved that drop something: `These rules drop 62 pings and 31 outputs now.` Empty if they drop nothing. */
export function droppedNowWords({ pings, bodies }: Pick<PreviewFigures, 'pings' | 'bodies'>): string {
  const parts = [pings > 0 ? counted(pings, 'ping') : '', bodies > 0 ? counted(bodies, 'output') : ''];
  const dropped = parts.filter((part) => part !== '').join(' and ');
  return dropped === '' ? '' : `These rules drop ${dropped} now.`;
}

/** In place of an output; `ageMs`: for how long the rule keeps it. */
export function droppedWords(ageMs: number): string {
  return `Output dropped by the retention rule after ${ageWords(ageMs)}.`;
}

/** As an owner would write it: `3 days`, `36 hours`, `1 year`. */
export function ageWords(ms: number): string {
  if (ms % (365 * day) === 0) return counted(ms / (365 * day), 'year');
  return ms % day === 0 ? counted(ms / day, 'day') : counted(ms / hour, 'hour');
}

const sizes = ['kB', 'MB', 'GB'] as const;

function sizeOf(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  let size = bytes;
  let unit = '';
  for (const name of sizes) {
    if (size < 1000) break;
    size /= 1000;
    unit = name;
  }
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)} ${unit}`;
}
