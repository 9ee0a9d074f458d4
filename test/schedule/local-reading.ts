/**
 * A zone's local reading straight from Intl, the oracle of these tests. It shares nothing with the code under test.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The local reading of an instant, as the epoch ms it would have in UTC; whole seconds. */
export function localReading(tz: string, instantMs: number): number {
  let format = formats.get(tz);
  if (format === undefined) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone: tz, ...parts, ...time });
    formats.set(tz, format);
  }
  const part = new Map(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
  const get = (type: Intl.DateTimeFormatPartTypes): number => part.get(type) ?? 0;
  return Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'));
}
