/** How times are shown: as the member has chosen, else as the browser does. Module-wide, since a document has one member. */
import type { Preferences } from '../domain/user.ts';

let timeZone = '';
let clock: Preferences['clock'] = 'auto';

export function setTimeStyle(chosen: Pick<Preferences, 'timeZone' | 'clock'>): void {
  timeZone = chosen.timeZone;
  clock = chosen.clock;
}

/** To be spread into the options of a time. */
export function timeOptions(): Pick<Intl.DateTimeFormatOptions, 'timeZone' | 'hourCycle'> {
  return {
    ...(timeZone === '' ? {} : { timeZone }),
    ...(clock === 'auto' ? {} : { hourCycle: clock === '12' ? 'h12' : 'h23' }),
  };
}

/** Of a date, where the hours do not matter. */
export function zoneOption(): Pick<Intl.DateTimeFormatOptions, 'timeZone'> {
  return timeZone === '' ? {} : { timeZone };
}

/** Year, month (from 0) and day where the member is. */
export function dateParts(atMs: number): readonly [year: number, month: number, day: number] {
  const date = new Date(atMs);
  if (timeZone === '') return [date.getFullYear(), date.getMonth(), date.getDate()];
  const options = { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const [month = 1, day = 1, year = 1970] = date.toLocaleDateString('en-US', options).split('/').map(Number);
  return [year, month - 1, day];
}
