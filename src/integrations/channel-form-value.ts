/**
 * Converts the texts in the fields of an integration's form to its value, and back.
 * Invariant: pure; `channelValueError` accepts every value that passes here, and a value keeps what it has beyond the fields of its
 * form (Slack and Trello send more).
 */

import { type ChannelKind, kinds } from './all.ts';
import { channelFields, channelValueError } from './channel-value.ts';
import type { FormField } from './contract/kind.ts';
import { forms, parseObject } from './contract/values.ts';

/** Texts by the names of their fields. */
export type FieldTexts = Readonly<Record<string, string>>;

export interface FieldError {
  /** Name of the field; empty if the error is not about a single one. */
  readonly field: string;
  readonly error: string;
}

/** Returns null if the fields give a value of `kind`, else the first field that is wrong, with the reason. */
export function fieldError(kind: ChannelKind, texts: FieldTexts, before = ''): FieldError | null {
  const [first] = fieldErrors(kind, texts);
  if (first) return first;
  const together = errorTogether(kind, texts);
  if (together !== null) return together;
  const error = channelValueError(kind, valueOfFields(kind, texts, before));
  return error === null ? null : { field: '', error };
}

/** Returns every field that is wrong by itself, with the reason. */
export function fieldErrors(kind: ChannelKind, texts: FieldTexts): readonly FieldError[] {
  return kinds[kind].form.fields.flatMap((field) => {
    const error = errorOf(field, texts[field.name] ?? '');
    return error === null ? [] : [{ field: field.name, error }];
  });
}

function errorOf({ label, input, required, choices, part }: FormField, text: string): string | null {
  if (text === '') return required ? `${label} is required.` : null;
  if (choices && !choices.some(([value]) => value === text)) return 'Choose one of the listed values.';
  if (input === 'number' && !/^-?\d{1,15}$/.test(text)) return 'Enter a number.';
  if (input === 'headers' && !headerLines(text).every(isHeader))
    return 'Write one header per line, e.g. X-Token: abc.';
  if (input === 'headers') {
    const unknown = headerLines(text)
      .map(nameAndContent)
      .find(([, content]) => content === keptContent);
    if (unknown) return `Write what ${unknown[0]} contains: there is no header of that name yet.`;
  }
  return part && !forms[part].fits(text) ? `Enter ${forms[part].is}.` : null;
}

/** An error that several fields cause together. */
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

/** The value that the fields give. `before` is the value to be replaced; empty for none. */
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

/** The text as the JSON of the value has it; null if the value does not have the field. */
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

/** In place of the content of a header that is kept as it is. */
export const keptContent = '•••';

/** The headers that were typed, with the contents of those that are kept. */
function withKeptHeaders(typed: string, before: string): string {
  const old = new Map(headerLines(before).map(nameAndContent));
  return headerLines(typed)
    .map((line) => {
      const [name, content] = nameAndContent(line);
      return content === keptContent ? `${name}: ${old.get(name) ?? keptContent}` : line;
    })
    .join('\n');
}

/** The part of a secret field that is shown: where an address leads, as errors say it, too, and the names of headers. Empty for none. */
export function shownPart({ input, part }: Pick<FormField, 'input' | 'part'>, text: string): string {
  if (input === 'headers')
    return headerLines(text)
      .map((line) => nameAndContent(line)[0])
      .join(', ');
  if (!isAddress(part)) return '';
  // Services put keys into paths and queries, and some people a password before the host.
  const [, scheme = '', host = '', rest = ''] =
    /^(https?:\/\/)(?:[^/?#]*@)?([^/?#@]+)(.*)$/is.exec(text) ?? [];
  return host === '' ? '' : `${scheme}${host}${rest === '' || rest === '/' ? rest : '/…'}`;
}

/** Whether the text of a field is an address. */
export function isAddress(part: FormField['part']): boolean {
  return part === 'url' || part === 'slackHook' || part === 'template';
}

/** Whether the form of those who may change the integration has the content of the field. */
export function isInForm({ open, inForm }: Pick<FormField, 'open' | 'inForm'>): boolean {
  return open === true || inForm === true;
}

/** The texts after a form changed `value`: what the form has is as it is there, the rest as before unless something was typed. */
export function changedFields(
  kind: ChannelKind,
  value: string,
  { typed, cleared }: { readonly typed: FieldTexts; readonly cleared: readonly string[] },
): FieldTexts {
  const before = fieldsOfValue(kind, value);
  const changed = kinds[kind].form.fields.map((field) => {
    const { name, input } = field;
    const given = typed[name];
    const text = given && input === 'headers' ? withKeptHeaders(given, before[name] ?? '') : given;
    const old = cleared.includes(name) ? '' : (before[name] ?? '');
    return [name, text === undefined || (text === '' && !isInForm(field)) ? old : text] as const;
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
