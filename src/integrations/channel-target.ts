/**
 * Where an integration sends to, in a few words that distinguish it from others: an address, or the host of a URL.
 * Invariant: pure; of what is secret there is only what the form shows, and of a topic too little to guess the rest.
 */
import { type ChannelKind, kinds } from './all.ts';
import { fieldsOfValue, isAddress, shownPart } from './channel-form-value.ts';
import type { FormField } from './contract/kind.ts';

/** Characters of a topic that are shown, at most, and never more than half of it: who knows a topic can read it. */
const topicCharsShown = 4;
const targetCharsShown = 40;

/** Returns `ops@example.org`, `hooks.slack.com` or `ntfy.sh/aler…`; empty where all of it is secret. */
export function targetOf(kind: ChannelKind, value: string): string {
  const texts = fieldsOfValue(kind, value);
  for (const field of kinds[kind].form.fields) {
    const shown = shownTarget(field, texts[field.name] ?? '');
    if (shown !== '') return kind === 'ntfy' ? shown + topicBeginning(texts.topic ?? '') : excerpt(shown);
  }
  return '';
}

/** Of one field: empty for what does not say where. */
export function shownTarget(field: FormField, text: string): string {
  if (field.input !== 'line') return '';
  if (isAddress(field.part)) return /^https?:\/\/([^/]+)/i.exec(shownPart(field, text))?.[1] ?? '';
  return field.open && field.required ? text : '';
}

function topicBeginning(topic: string): string {
  const chars = [...topic];
  return `/${chars.slice(0, Math.min(topicCharsShown, Math.floor(chars.length / 2))).join('')}…`;
}

function excerpt(text: string): string {
  const chars = [...text];
  return chars.length <= targetCharsShown ? text : `${chars.slice(0, targetCharsShown - 1).join('')}…`;
}
