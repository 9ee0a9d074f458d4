/**
 * Request templates: data with places to fill. `{name}` stands for a fact, `{name|filter}` for one escaped, `{value.x}` for
 * a field of the integration's value, `{set.x}` for a setting of this Knell. A text that is one place and nothing else
 * becomes the value itself, number or list. `{ down, up, late? }` picks by what is told (`late` as `down`).
 * Invariant: what is filled in is never searched for places again.
 */
import type { NotificationKind } from '../domain/delivery.ts';
import { escapes, isEscape } from './escape.ts';

export type Template =
  | string
  | number
  | boolean
  | readonly Template[]
  | ByNotificationKind
  | { readonly [key: string]: Template };

/** Different texts for down and up. */
export interface ByNotificationKind {
  readonly down: Template;
  readonly up: Template;
  readonly late?: Template;
}

export type Filled =
  | string
  | number
  | boolean
  | null
  | readonly Filled[]
  | { readonly [key: string]: Filled };

/** Thrown when a place has nothing to be filled with: the message says what is missing. */
export class MissingField extends Error {
  override readonly name = 'MissingField';
}

export interface Places {
  readonly notificationKind: NotificationKind;
  /** The value of `path`; undefined when there is none. */
  get(path: string): Filled | undefined;
}

/** A key that ends so is left out when its place has no value. */
const optionalMark = '?';
const place = /\{([\w.]+)(?:\|([a-zA-Z0-9]+))?\}/g;
const onlyPlace = /^\{([\w.]+)\}$/;

export function fill(template: Template, places: Places): Filled {
  if (typeof template === 'string') return fillText(template, places);
  if (typeof template !== 'object') return template;
  if (isList(template)) return template.map((item) => fill(item, places));
  if (isByNotificationKind(template)) return fill(pick(template, places.notificationKind), places);
  const filled: Record<string, Filled> = {};
  for (const [key, item] of Object.entries(template)) {
    if (!key.endsWith(optionalMark)) filled[key] = fill(item, places);
    else if (hasAll(item, places)) filled[key.slice(0, -1)] = fill(item, places);
  }
  return filled;
}

/** Filled, as text. */
export function fillString(template: string | ByNotificationKind, places: Places): string {
  const filled = fill(template, places);
  return typeof filled === 'string' ? filled : JSON.stringify(filled);
}

/** An object of texts, filled. */
export function fillObject(
  template: Readonly<Record<string, string | ByNotificationKind>>,
  places: Places,
): Readonly<Record<string, string>> {
  const filled = fill(template, places);
  const texts = Object.entries(Object(filled)).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(texts) as Record<string, string>;
}

function isList(template: Template): template is readonly Template[] {
  return Array.isArray(template);
}

function isByNotificationKind(
  template: ByNotificationKind | { readonly [key: string]: Template },
): template is ByNotificationKind {
  return 'down' in template && 'up' in template;
}

function pick({ down, up, late = down }: ByNotificationKind, notificationKind: NotificationKind): Template {
  return { down, up, late }[notificationKind];
}

function fillText(text: string, places: Places): Filled {
  const whole = onlyPlace.exec(text)?.[1];
  if (whole !== undefined) return required(whole, places);
  return text.replace(place, (_, path: string, filter: string | undefined) => {
    const value = required(path, places);
    const shown = typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : String(value);
    if (filter === undefined) return shown;
    if (!isEscape(filter)) throw new MissingField(`there is no filter ${filter}`);
    return escapes[filter](shown);
  });
}

function required(path: string, places: Places): Filled {
  const value = places.get(path);
  if (value === undefined) throw new MissingField(path);
  return value;
}

function hasAll(template: Template, places: Places): boolean {
  if (typeof template !== 'string')
    return (
      typeof template !== 'object' ||
      isList(template) ||
      !isByNotificationKind(template) ||
      hasAll(pick(template, places.notificationKind), places)
    );
  return [...template.matchAll(place)].every(([, path = '']) => {
    const value = places.get(path);
    return value !== undefined && value !== '';
  });
}
