/**
 * Numbers as programs print them, and the units that come after them. Not here: where in an output they are (`match-pattern`,
 * `find-results`).
 * Invariant: pure; reads at most `resultNumberCharsMax` characters, and no number is NaN or infinite.
 *
 * `1,234,567` and `1'234` are grouped. One comma with other than three digits behind it is a decimal comma (`1,5`), and so is one
 * behind a single 0. One point is always a decimal point: `1.234` is less than two. Several points are groups (`1.234.567`) where each
 * has three digits; otherwise they are a version or an address and no number. Of both signs the last one is the decimal sign. A blank
 * never groups: `1 234` is a 1. Hexadecimal numbers are none.
 */
import { resultNumberCharsMax } from '../limits.ts';

export interface FoundNumber {
  readonly value: number;
  /** As it is printed, such as `GB`; empty for none or for a word that is no unit. */
  readonly unit: string;
  /** Where the text goes on behind the digits. */
  readonly end: number;
  /** And behind the unit: the same as `end` where there is none. */
  readonly unitEnd: number;
}

type Sort = 'bytes' | 'time' | 'percent';

interface Unit {
  readonly sort: Sort;
  /** Bytes or milliseconds of one. */
  readonly size: number;
}

const bytes = (size: number): Unit => ({ sort: 'bytes', size });
const time = (size: number): Unit => ({ sort: 'time', size });

const units: ReadonlyMap<string, Unit> = new Map([
  ...['B', 'bytes', 'byte', 'Bytes', 'Byte'].map((name) => [name, bytes(1)] as const),
  ...['K', 'M', 'G', 'T'].flatMap(
    (letter, at) =>
      [
        [letter, bytes(1000 ** (at + 1))],
        [`${letter}B`, bytes(1000 ** (at + 1))],
        [`${letter}iB`, bytes(1024 ** (at + 1))],
        [`${letter}i`, bytes(1024 ** (at + 1))],
      ] as const,
  ),
  ['k', bytes(1000)],
  ['kB', bytes(1000)],
  ['kiB', bytes(1024)],
  ['ms', time(1)],
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((name) => [name, time(1000)] as const),
  ...['min', 'mins', 'minute', 'minutes'].map((name) => [name, time(60_000)] as const),
  ...['h', 'hour', 'hours'].map((name) => [name, time(3_600_000)] as const),
  ...['d', 'day', 'days'].map((name) => [name, time(86_400_000)] as const),
  ['%', { sort: 'percent', size: 1 }],
]);

/** Null for a unit of people, such as `rows`. */
export function unitOf(name: string): Unit | null {
  return units.get(name) ?? null;
}

/** Robocopy writes single letters, small ones too, for powers of 1024. */
const letters = 'kmgt';

/**
 * What a number with the unit `found` is in `wanted`. Units of different sorts, or of none, leave the number as it is.
 * `is1024`: the program's manual says that single letters are powers of 1024.
 */
export function converted(value: number, found: string, wanted: string, is1024 = false): number {
  const power = is1024 && found.length === 1 ? letters.indexOf(found.toLowerCase()) + 1 : 0;
  const from = power > 0 ? bytes(1024 ** power) : unitOf(found);
  const to = unitOf(wanted);
  if (from === null || to === null || from.sort !== to.sort || from.size === to.size) return value;
  // Above 1 one of the two is divided by, and dividing by a whole number gives the nearest double.
  return from.size > to.size && from.size % to.size === 0
    ? value * (from.size / to.size)
    : (value * from.size) / to.size;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;
/** `'`, `,` and `.`. */
const isSeparator = (code: number): boolean => code === 39 || code === 44 || code === 46;

/** The number that begins at `at` with a digit or a sign before one; null when there is none. */
export function numberAt(line: string, at: number): FoundNumber | null {
  const sign = line.charCodeAt(at);
  const from = sign === 45 || sign === 43 ? at + 1 : at;
  if (!isDigit(line.charCodeAt(from))) return null;
  const limit = from + resultNumberCharsMax;
  let end = from;
  let isPlain = true;
  for (; end < limit; end++) {
    const code = line.charCodeAt(end);
    if (isDigit(code)) continue;
    if (!isSeparator(code)) break;
    isPlain = false;
  }
  if (end === limit) return null;
  while (isSeparator(line.charCodeAt(end - 1))) end--;
  const digits = line.slice(from, end);
  const plain = isPlain ? digits : plainDigits(digits);
  if (plain === null || (plain === '0' && (line.charCodeAt(end) | 32) === 120)) return null;
  const exponent = exponentAt(line, end);
  const value = Number(plain + exponent) * (sign === 45 ? -1 : 1);
  if (!Number.isFinite(value)) return null;
  end += exponent.length;
  const { unit, unitEnd } = unitAt(line, end);
  return { value: value === 0 ? 0 : value, unit, end, unitEnd };
}

function exponentAt(line: string, at: number): string {
  if ((line.charCodeAt(at) | 32) !== 101) return '';
  const text = /^[eE][+-]?\d{1,4}(?![\dA-Za-z])/.exec(line.slice(at, at + 8));
  return text?.[0] ?? '';
}

/** Digits with a decimal point at most; null when the separators make no sense. */
function plainDigits(text: string): string | null {
  const point = text.lastIndexOf('.');
  const comma = text.lastIndexOf(',');
  const quote = text.lastIndexOf("'");
  if (point < 0 && comma < 0 && quote < 0) return text;
  if (quote >= 0) return comma >= 0 ? null : grouped(text, "'", '.');
  if (comma < 0) return text.indexOf('.') === point ? text : grouped(text, '.', '');
  if (point < 0) {
    const isOne = text.indexOf(',') === comma;
    const isGroup = comma === text.length - 4 && comma <= 3 && text[0] !== '0';
    return isOne && !isGroup ? text.replace(',', '.') : grouped(text, ',', '');
  }
  return point > comma ? grouped(text, ',', '.') : grouped(text, '.', ',');
}

/** Three digits in each group but the first, which has one to three. */
function grouped(text: string, separator: string, decimal: string): string | null {
  const point = decimal === '' ? -1 : text.indexOf(decimal);
  const wholeEnd = point < 0 ? text.length : point;
  if (wholeEnd % 4 === 0) return null;
  for (let at = 0; at < text.length; at++) {
    const isBetween = at < wholeEnd && (wholeEnd - at) % 4 === 0;
    const isRight = isBetween ? text.startsWith(separator, at) : at === point || isDigit(text.charCodeAt(at));
    if (!isRight) return null;
  }
  return `${text.slice(0, wholeEnd).replaceAll(separator, '')}.${text.slice(wholeEnd + 1)}0`;
}

/** One blank may be before it. A unit ends where its letters do, so that `3 seconds` has one and `3 sheets` has none. */
function unitAt(line: string, at: number): { readonly unit: string; readonly unitEnd: number } {
  if (line.charCodeAt(at) === 37) return { unit: '%', unitEnd: at + 1 };
  const from = line.charCodeAt(at) === 32 ? at + 1 : at;
  let end = from;
  while (end < from + 8 && isLetter(line.charCodeAt(end))) end++;
  if (end === from) return { unit: '', unitEnd: at };
  const unit = line.slice(from, end);
  const isUnit = units.has(unit) || (unit.length === 1 && letters.includes(unit));
  if (!isUnit || isLetter(line.charCodeAt(end))) return { unit: '', unitEnd: at };
  return { unit, unitEnd: end };
}

/** The number that the whole text is, with a unit or without; null when it is anything else. */
export function wholeNumber(text: string): FoundNumber | null {
  const number = numberAt(text, 0);
  return number?.unitEnd === text.length ? number : null;
}

/** Where the digits of numbers begin that are no part of a word or of another number. A sign before them is not looked at. */
export function numberDigits(line: string): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at < line.length; at++) {
    if (!isDigit(line.charCodeAt(at))) continue;
    const before = line.charCodeAt(at - 1);
    if (!isDigit(before) && !isSeparator(before) && !isLetter(before) && before !== 95) places.push(at);
  }
  return places;
}

/** Where the number begins whose digits begin at `digits`: with its sign, if that is one and not before `from`. */
export function signedStart(line: string, digits: number, from: number): number {
  const sign = line.charCodeAt(digits - 1);
  if (digits === from || (sign !== 45 && sign !== 43)) return digits;
  const before = line.charCodeAt(digits - 2);
  return isDigit(before) || isLetter(before) ? digits : digits - 1;
}
