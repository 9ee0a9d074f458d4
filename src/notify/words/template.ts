/**
 * Request templates: data with placeholders. `{name}` is a fact of the notice, `{name|filter}` the same escaped,
 * `{value.x}` a field of the integration's value, `{set.x}` a setting of this Knell. A text that is one placeholder and nothing else
 * becomes the value itself, number or list. `{ down, up, late? }` picks by the kind of notification (`late` as `down` unless given).
 * Invariant: values are never searched for placeholders.
 */
import type { NotificationKind } from '../../domain/deliveries/delivery.ts';
import type { ByNotificationKind, OptionalItem, Template } from '../../integrations/contract/request.ts';
import { escapes, isEscape } from './escape.ts';

export type Filled =
  | string
  | number
  | boolean
  | null
  | readonly Filled[]
  | { readonly [key: string]: Filled };

/** Thrown when a placeholder has no value: the message names it. */
export class MissingField extends Error {
  override readonly name = 'MissingField';
}

export interface TemplateValues {
  readonly notificationKind: NotificationKind;
  /** The value of `path`; undefined when there is none. */
  get(path: string): Filled | undefined;
}

/** A key that ends with this is left out when its placeholder has no value. */
const optionalMark = '?';
const placeholder = /\{([\w.]+)(?:\|([a-zA-Z0-9]+))?\}/g;
const onlyPlaceholder = /^\{([\w.]+)\}$/;

export function fill(template: Template, values: TemplateValues): Filled {
  if (typeof template === 'string') return fillText(template, values);
  if (typeof template !== 'object') return template;
  if (isList(template)) return template.flatMap((item) => fillItem(item, values));
  if (isByNotificationKind(template)) return fill(pick(template, values.notificationKind), values);
  const filled: Record<string, Filled> = {};
  for (const [key, item] of Object.entries(template)) {
    if (!key.endsWith(optionalMark)) filled[key] = fill(item, values);
    else if (hasAll(item, values)) filled[key.slice(0, -1)] = fill(item, values);
  }
  return filled;
}

function fillItem(item: Template, values: TemplateValues): readonly Filled[] {
  if (!isOptionalItem(item)) return [fill(item, values)];
  return hasAll(item.ifSaid, values) ? [fill(item.item, values)] : [];
}

function isOptionalItem(template: Template): template is OptionalItem {
  return typeof template === 'object' && 'ifSaid' in template;
}

/** Filled, as text. */
export function fillString(template: string | ByNotificationKind, values: TemplateValues): string {
  const filled = fill(template, values);
  return typeof filled === 'string' ? filled : JSON.stringify(filled);
}

/** An object of texts, filled. */
export function fillObject(
  template: Readonly<Record<string, string | ByNotificationKind>>,
  values: TemplateValues,
): Readonly<Record<string, string>> {
  const filled = fill(template, values);
  const texts = Object.entries(Object(filled)).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(texts) as Record<string, string>;
}

function isList(template: Template): template is readonly Template[] {
  return Array.isArray(template);
}

function isByNotificationKind(
  template: Exclude<Template, string | number | boolean | readonly Template[]>,
): template is ByNotificationKind {
  return 'down' in template && 'up' in template;
}

function pick(
  { down, up, late = down, warning = late }: ByNotificationKind,
  notificationKind: NotificationKind,
): Template {
  return { down, up, late, warning }[notificationKind];
}

function fillText(text: string, values: TemplateValues): Filled {
  const whole = onlyPlaceholder.exec(text)?.[1];
  if (whole !== undefined) return required(whole, values);
  return text.replace(placeholder, (_, path: string, filter: string | undefined) => {
    const value = required(path, values);
    const shown = typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : String(value);
    if (filter === undefined) return shown;
    if (!isEscape(filter)) throw new MissingField(`there is no filter ${filter}`);
    return escapes[filter](shown);
  });
}

function required(path: string, values: TemplateValues): Filled {
  const value = values.get(path);
  if (value === undefined) throw new MissingField(path);
  return value;
}

function hasAll(template: Template, values: TemplateValues): boolean {
  if (typeof template !== 'string') {
    if (typeof template !== 'object') return true;
    if (!isList(template) && isByNotificationKind(template))
      return hasAll(pick(template, values.notificationKind), values);
    return Object.values(template).every((one: Template) => hasAll(one, values));
  }
  return [...template.matchAll(placeholder)].every(([, path = '']) => {
    const value = values.get(path);
    return value !== undefined && value !== '';
  });
}
