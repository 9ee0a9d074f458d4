/** Pictures of a public status page: the mark of each status, the bars, Knell's bell. */
import type { ServiceStatus } from './report.ts';

const ring = 'M10 2.500a7.5 7.5 0 1 0 0 15 7.500 7.500 0 0 0 0-15Z';
const line =
  'fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"';
const over = 'class="over" fill="none" stroke-width="2" stroke-linecap="round"';

const noData = `<path ${line} stroke-dasharray="3 3" d="${ring}"/>`;

const shapes: Readonly<Record<ServiceStatus, string>> = {
  down: `<path fill="currentColor" d="M6.600 2h6.800L18 6.600v6.800L13.400 18H6.600L2 13.400V6.600Z"/><path ${over} d="m7.300 7.300 5.400 5.400m0-5.400-5.400 5.400"/>`,
  late: `<path fill="currentColor" d="M10 2.200 18.600 17.500H1.400Z"/><path ${over} d="M10 8v4m0 2.600v.1"/>`,
  maintenance: `<path class="fill" stroke="currentColor" stroke-width="1.5" d="${ring}"/><path ${line} d="M8 7v6m4-6v6"/>`,
  up: `<path class="fill" stroke="currentColor" stroke-width="1.5" d="${ring}"/><path ${line} d="m6.700 10.300 2.300 2.300 4.400-4.800"/>`,
  waiting: noData,
  paused: `<rect ${line} x="2.7" y="2.7" width="14.6" height="14.6" rx="4"/><path ${line} d="M8 7v6m4-6v6"/>`,
  none: noData,
};

/** Draws the mark of a status. It is hidden from screen readers, because words beside it say the same. */
export function mark(status: ServiceStatus, size = 20): string {
  return `<svg class="mark ${status}" viewBox="0 0 20 20" width="${size}" height="${size}" aria-hidden="true">${shapes[status]}</svg>`;
}

export const bell =
  '<svg viewBox="0 0 32 32" width="16" height="16" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#3d4fc4"/><g transform="rotate(16 16 16)" fill="#fff"><path d="M16 6a6.500 6.500 0 0 0-6.500 6.500V18L7.500 21.200h17L22.500 18v-5.500A6.500 6.500 0 0 0 16 6Z"/></g><circle cx="19.3" cy="25" r="2.3" fill="#fff"/></svg>';

const heights: Readonly<Record<ServiceStatus, number>> = {
  down: 24,
  late: 19,
  maintenance: 16,
  up: 16,
  waiting: 3,
  paused: 3,
  none: 3,
};
const barWidth = 6;
const barStep = 8;

export function bar(status: ServiceStatus, place: number, title = ''): string {
  const height = heights[status];
  const shape = `<rect class="${status}" x="${place * barStep}" y="${24 - height}" width="${barWidth}" height="${height}" rx="1"`;
  return title === '' ? `${shape}/>` : `${shape}><title>${title}</title></rect>`;
}

export function barsWidth(count: number): number {
  return Math.max(1, count * barStep - (barStep - barWidth));
}
