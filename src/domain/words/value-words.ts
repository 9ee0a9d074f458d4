/** The values of changed fields in words: the same on the page and in commands. Pure. */
import { exactSpan } from './span-words.ts';

/** Of checks and integrations: spans in seconds, of which 0 is none. */
const spans: ReadonlySet<string> = new Set([
  'timeout',
  'grace',
  'start_grace',
  'max_runtime',
  'min_runtime',
  'early_tolerance',
  'hold',
  'unstable_window',
  'delay',
  'repeat',
  'collect',
  'escalate_after',
]);

/** The old or the new value of a field. */
export function valueWords(field: string, value: string): string {
  if (value === '') return 'empty';
  if (value === 'true' || value === 'false') return value === 'true' ? 'on' : 'off';
  if (!spans.has(field)) return value;
  return value === '0' ? 'none' : exactSpan(Number(value) * 1000);
}
