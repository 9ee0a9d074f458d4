/**
 * Results and broken limits in words: the same in alerts and on the page. Invariant: pure; a sentence has no full stop.
 */
import { exactSpan } from '../words/span-words.ts';
import { readBreach } from './judge-results.ts';
import { unitOf } from './read-number.ts';
import type { ResultLimit, UsualRange } from './result.ts';

/** `files 0, usually 1,380–1,420`, from what `breachFigures` gave; empty for figures of no breach. */
export function resultWords(name: string, unit: string, figures: readonly number[]): string {
  const breach = readBreach(name, unit, figures);
  if (breach === null) return '';
  const { value, limit, usual } = breach;
  if (value === null || limit.kind === 'missing') return `${name} did not come`;
  const is = `${name} ${resultValue(value, unit)}`;
  if (limit.kind === 'below') return `${is}, below ${resultValue(limit.value, unit)}`;
  if (limit.kind === 'above') return `${is}, above ${resultValue(limit.value, unit)}`;
  return usual === null ? `${is}, which is unusual` : `${is}, ${usualWords(usual, unit)}`;
}

/** `below 1`, `a change by over 50 %`, `none`: what must not be. `value`: of `change` the share. */
export function limitWords(
  { kind, value }: { readonly kind: ResultLimit['kind']; readonly value?: number | undefined },
  unit: string,
): string {
  if (kind === 'missing') return 'none';
  if (kind === 'change') return `a change by over ${Math.round((value ?? 0) * 1000) / 10} %`;
  return `${kind} ${resultValue(value ?? 0, unit)}`;
}

/** `usually 1,380–1,420`; empty where nothing is usual yet. */
export function usualWords(usual: Pick<UsualRange, 'from' | 'to'> | null, unit: string): string {
  if (usual === null) return '';
  // Of large counts the fraction is noise, and the range without it has all that was within.
  const isCount = unitOf(unit) === null && Math.min(Math.abs(usual.from), Math.abs(usual.to)) >= 100;
  const [from, to] = isCount ? [Math.floor(usual.from), Math.ceil(usual.to)] : [usual.from, usual.to];
  return `usually ${range(from, to, unit)}`;
}

/** `1,420 rows`, `8.1 GB`, `3 min`, `12%`. Bytes in powers of 1000, but where the unit itself is one of 1024. */
export function resultValue(value: number, unit: string): string {
  const known = unitOf(unit);
  const size = value * (known?.size ?? 1);
  if (!Number.isFinite(size)) return `${grouped(value)} ${unit}`;
  if (known?.sort === 'bytes') return byteWords(size, /i/.test(unit) ? 1024 : 1000);
  if (known?.sort === 'time') return `${size < 0 ? '-' : ''}${exactSpan(Math.abs(size))}`;
  return `${grouped(value)}${unit === '' || unit === '%' ? unit : ` ${unit}`}`;
}

const prefixes = ['', 'k', 'M', 'G', 'T', 'P'] as const;

function byteWords(size: number, base: 1000 | 1024): string {
  let [power, left] = [0, Math.abs(size)];
  // What would be rounded to 1000 kB is 1 MB.
  while (Number(left.toPrecision(3)) >= base && power < prefixes.length - 1) {
    left /= base;
    power++;
  }
  const prefix = prefixes[power] ?? '';
  const unit = power > 0 && base === 1024 ? `${prefix.toUpperCase()}iB` : `${prefix}B`;
  return `${size < 0 ? '-' : ''}${grouped(left >= 1000 ? left : Number(left.toPrecision(3)))} ${unit}`;
}

/** `1,420`, `0.125`: thousands apart, and three digits at least of what is not whole. */
function grouped(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return String(Number(value.toPrecision(4)));
  const rounded = size >= 100 ? Math.round(value * 10) / 10 : Number(value.toPrecision(4));
  const [whole = '', fraction] = String(Math.abs(rounded)).split('.');
  const apart = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${rounded < 0 ? '-' : ''}${apart}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** A unit that both have is written once: `7.9–8.2 GB`. */
function range(from: number, to: number, unit: string): string {
  const [least, most] = [resultValue(from, unit), resultValue(to, unit)];
  if (least === most) return least;
  const [count = '', own, ...others] = least.split(' ');
  const isOneUnit = others.length === 0 && own !== undefined && most.split(' ').slice(1).join(' ') === own;
  return `${isOneUnit ? count : least}–${most}`;
}
