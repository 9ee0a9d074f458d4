// `knell schedule -` reads a JSON question per line from stdin and writes a JSON answer per line to stdout, in order, as they come.
// It reads no options of the command line.
// Invariant: every line that is not blank gets exactly one answer, and none ends the loop.

import { parseSchedule } from '../../schedule/schedule.ts';
import { occurrencesMax, scheduleLineCharsMax } from '../io/limits.ts';
import { FROM_MAX_MS, FROM_MIN_MS, occurrencesOf, type ScheduleIo } from './schedule-query.ts';

type ScheduleAnswer = { readonly next: readonly number[] } | { readonly error: string };

/** Answers until stdin ends. A question is {"expr", "tz"?, "from"?, "n"?}; times are epoch ms, n is 1 by default. */
export async function answerLines(io: ScheduleIo): Promise<void> {
  for await (const line of linesOf(io.stdin)) {
    if (line.trim() !== '') io.stdout.write(`${JSON.stringify(answerLine(line, io.nowMs))}\n`);
  }
}

async function* linesOf(chunks: ScheduleIo['stdin']): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    // One character more than the limit is kept, so that the line is still seen to be too long.
    if (rest.length > scheduleLineCharsMax) rest = rest.slice(0, scheduleLineCharsMax + 1);
  }
  yield rest;
}

function answerLine(line: string, nowMs: number): ScheduleAnswer {
  if (line.length > scheduleLineCharsMax) return { error: `longer than ${scheduleLineCharsMax} characters` };
  const question = parseObject(line);
  if (question === null) return { error: 'not a JSON object' };
  const { expr, tz = 'UTC', from = nowMs, n = 1 } = question;
  if (typeof expr !== 'string') return { error: 'expr is not a string' };
  if (typeof tz !== 'string') return { error: 'tz is not a string' };
  if (!isWholeWithin(from, FROM_MIN_MS, FROM_MAX_MS))
    return { error: 'from is not epoch ms of 1970 to 9999' };
  if (!isWholeWithin(n, 1, occurrencesMax))
    return { error: `n is not a whole number from 1 to ${occurrencesMax}` };
  const parsed = parseSchedule(expr, tz);
  return parsed.ok ? { next: occurrencesOf(parsed.schedule, from, n) } : { error: parsed.error };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isWholeWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}
