/** Times and durations of a status page in words, by the clock of its zone; and text escaped for HTML and XML. */
import { longSpan } from '../../domain/words/span-words.ts';
import { minute } from '../../lib/units.ts';

export interface PageClock {
  /** `Wed 18 Nov`. */
  date(atMs: number): string;
  /** `18 Nov`. */
  shortDate(atMs: number): string;
  /** `18 Nov 05:02`. */
  moment(atMs: number): string;
  /** `05:02`, with the day unless that is today. */
  time(atMs: number): string;
  /** `05:26:04`. */
  seconds(atMs: number): string;
}

/** `nowMs` decides which day is today. */
export function pageClock(timeZone: string, nowMs: number): PageClock {
  const format = (options: Intl.DateTimeFormatOptions): ((atMs: number) => string) => {
    const formatter = new Intl.DateTimeFormat('en-GB', { timeZone, ...options });
    return (atMs) => formatter.format(atMs).replace(',', '').replace('Sept', 'Sep');
  };
  const date = format({ weekday: 'short', day: 'numeric', month: 'short' });
  const minutes = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const shortDate = format({ day: 'numeric', month: 'short' });
  const today = date(nowMs);
  return {
    date,
    shortDate,
    moment: (atMs) => `${shortDate(atMs)} ${minutes(atMs)}`,
    time(atMs) {
      const of = date(atMs);
      return of === today ? `today ${minutes(atMs)}` : `${of} ${minutes(atMs)}`;
    },
    seconds: format({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
  };
}

/** `3 hours 9 minutes`, without seconds: its readers are not those who run the jobs. */
export function spanWords(spanMs: number): string {
  return spanMs < minute ? 'less than 1 minute' : longSpan(Math.floor(spanMs / minute) * minute);
}

/** Percent, rounded down to two decimals; all hundred only if nothing is missing. */
export function percentWords(percent: number | null): string {
  if (percent === null) return '–';
  if (percent === 100) return '100.00 % up';
  return `${(Math.floor(percent * 100) / 100).toFixed(2)} % up`;
}

/** Escapes text for HTML and for XML, which has no control characters at all. */
export function escaped(text: string): string {
  return text
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
