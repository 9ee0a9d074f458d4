/**
 * The schedule module's exports: which expressions are valid, of which kind, and when they next occur.
 * It keeps no clock and no checks: an instant comes in, an instant goes out. Other modules import only this file.
 * Invariant: everything behind this listener is pure; what is remembered never changes an answer.
 */
export { type ClockChange, clockChangeOf } from './clock-change.ts';
export { internSchedule, StoredScheduleError } from './interned.ts';
export { expressionLengthMax } from './limits.ts';
export {
  detectKind,
  type ParsedSchedule,
  parseSchedule,
  type Schedule,
  type ScheduleKind,
} from './parse-schedule.ts';
export { canonicalTimeZone } from './time-zones.ts';
export { loadZoneData, zoneClock } from './zone-clock.ts';
export { zonedTime } from './zoned-time.ts';
