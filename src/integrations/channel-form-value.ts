/**
 * From what was typed into the fields of an integration's form to its value, and back.
 * Invariant: pure; a value that passes is one that `channelValueError` passes, and what a value holds beyond its form's
 * fields (what Slack or Trello sent along) stays in it.
 */

import { type ChannelKind, kinds } from './all.ts';
import { channelFields, channelValueError } from './channel-value.ts';
import type { FormField } from './contract/kind.ts';
import { forms, parseObject } from './contract/values.ts';

/** By the names of the fields. */
export type FieldTexts = Readonly<Record<string, string>>;

export interface FieldError {
  /** Empty if it is not about a single field. */
  readonly field: string;
  readonly error: string;
}

/** Null when the fields give a value of `kind`; otherwise the first that is wrong, and why. */
export function fieldError(kind: ChannelKind, texts: FieldTexts, before = ''): FieldError | null {
  for (const field of kinds[kind].form.fields) {
    const error = errorOf(field, texts[field.name] ?? '');
    if (error !== null) return { field: field.name, error };
  }
  const together = errorTogether(kind, texts);
  if (together !== null) return together;
  const error = channelValueError(kind, valueOfFields(kind, texts, before));
  return error === null ? null : { field: '', error };
}

function errorOf({ label, input, required, choices, part }: FormField, text: string): string | null {
  if (text === '') return required ? `${label} is required.` : null;
  if (choices && !choices.some(([value]) => value === text)) return 'Choose one of the listed values.';
  if (input === 'number' && !/^-?\d{1,15}$/.test(text)) return 'Enter a number.';
  if (input === 'headers' && !headerLines(text).every(isHeader))
    return 'Write one header per line, e.g. X-Token: abc.';
  return part && !forms[part].fits(text) ? `Enter ${forms[part].is}.` : null;
}

/** What no field is to blame for by itself. */
function errorTogether(kind: ChannelKind, texts: FieldTexts): FieldError | null {
  const all = (...names: readonly string[]): boolean => names.every((name) => (texts[name] ?? '') === '');
  if (kind === 'webhook' && all('url_down', 'url_up'))
    return { field: 'url_down', error: 'Set at least one of the two URLs.' };
  if (kind === 'shell' && all('cmd_down', 'cmd_up'))
    return { field: 'cmd_down', error: 'Set at least one of the two commands.' };
  if (kinds[kind].form.fields.some(({ name }) => name === 'up') && all('down', 'up'))
    return { field: 'down', error: 'Tick at least one, or disable the integration instead.' };
  return null;
}

/** `before`: the value that is to be replaced, empty for none. */
export function valueOfFields(kind: ChannelKind, texts: FieldTexts, before = ''): string {
  const { fields, keeps } = kinds[kind].form;
  if (keeps === 'text') return texts.value ?? '';
  if (keeps === 'pipes') return fields.map(({ name }) => texts[name] ?? '').join('|');
  const object = new Map(Object.entries(parseObject(before) ?? {}));
  for (const field of fields) {
    const kept = keptOf(field, texts[field.name] ?? '');
    if (kept === null) object.delete(field.name);
    else object.set(field.name, kept);
  }
  return JSON.stringify(Object.fromEntries(object));
}

/** As the value's JSON has it; null for not at all. */
function keptOf({ input, name }: FormField, text: string): unknown {
  if (input === 'tick') return text !== '';
  if (text === '') return null;
  if (input === 'number' || name.startsWith('priority')) return Number(text);
  return input === 'headers' ? Object.fromEntries(headerLines(text).map(nameAndContent)) : text;
}

export function fieldsOfValue(kind: ChannelKind, value: string): FieldTexts {
  const { fields, keeps } = kinds[kind].form;
  if (keeps === 'pipes') {
    const { user = '', priorityDown = 0, priorityUp = 0 } = channelFields(kind, value);
    return { user: String(user), priority: String(priorityDown), priority_up: String(priorityUp) };
  }
  const object = value.startsWith('{') ? parseObject(value) : null;
  if (keeps === 'text') {
    const { value: inner = '', service_key: key = inner } = channelFields(kind, value);
    return { value: object ? String(key) : value };
  }
  const held = object ?? { value };
  return Object.fromEntries(
    fields.map((field) => [field.name, textOf(field, new Map(Object.entries(held)))]),
  );
}

function textOf({ name, input, first = '' }: FormField, held: ReadonlyMap<string, unknown>): string {
  const found = held.get(name);
  if (input === 'tick') return found === false ? '' : 'yes';
  if (input === 'headers')
    return Object.entries(typeof found === 'object' && found !== null ? found : {})
      .map(([header, content]) => `${header}: ${content}`)
      .join('\n');
  return typeof found === 'string' || typeof found === 'number' ? String(found) : first;
}

/** What a form that changes `value` came to: open fields as they are now, others where something was typed. */
export function changedFields(
  kind: ChannelKind,
  value: string,
  { typed, cleared }: { readonly typed: FieldTexts; readonly cleared: readonly string[] },
): FieldTexts {
  const before = fieldsOfValue(kind, value);
  const changed = kinds[kind].form.fields.map(({ name, open }) => {
    const text = typed[name];
    const old = cleared.includes(name) ? '' : (before[name] ?? '');
    return [name, text === undefined || (text === '' && !open) ? old : text] as const;
  });
  return Object.fromEntries(changed);
}

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

function headerLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function nameAndContent(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()];
}

function isHeader(line: string): boolean {
  const [name, content] = nameAndContent(line);
  return headerName.test(name) && content !== '';
}
