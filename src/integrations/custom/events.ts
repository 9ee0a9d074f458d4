/**
 * The kind of integration that is sent the events of its project as they happen, not the alerts of checks: a subscription for
 * programs. Its sender goes through the journal (`notify/feeds`).
 */
import { signingSecret } from '../contract/form.ts';
import type { FormField, Kind } from '../contract/kind.ts';
import { feedWordsMax } from '../contract/limits.ts';
import { titles } from '../contract/titles.ts';
import { forms, parseObject, signingSecretError } from '../contract/values.ts';

/** Types of events that it may name; `domain/views/event-answers` describes them. */
export const feedEventTypes = ['ping', 'status', 'run', 'incident', 'delivery', 'configuration'] as const;

const fields: readonly FormField[] = [
  {
    name: 'url',
    label: 'URL',
    help: 'Gets a POST for each event: JSON with type, timestamp and data.',
    input: 'line',
    required: true,
    part: 'url',
  },
  signingSecret,
  {
    name: 'types',
    label: 'Types of events',
    help: `Of ${feedEventTypes.join(', ')}, separated by spaces; empty for all but ping.`,
    input: 'line',
    open: true,
  },
  {
    name: 'only_checks',
    label: 'Only these checks',
    help: 'Slugs or UUIDs, separated by spaces; empty for all.',
    input: 'line',
    open: true,
  },
  {
    name: 'only_tags',
    label: 'Only checks with these tags',
    help: 'One of them is enough; separated by spaces; empty for all.',
    input: 'line',
    open: true,
  },
];

export const events: Kind = {
  form: {
    title: titles.events,
    help: 'Sends every event of the project to a program, in order: status changes, runs, incidents, notifications, changes of the configuration.',
    steps: [
      'Give the program an address that takes a POST, and answers with 2xx once it has stored the event.',
      'Enter it here. One that is not public has to be allowed once; the test says so.',
      'Generate a secret, and give it to the program, which then knows that an event comes from here.',
    ],
    keeps: 'json',
    fields,
  },
  category: 'Custom',
  line: 'Every event, for programs',
  icon: 'list',
  getsEvents: true,
  valueError,
};

function valueError(value: string): string | null {
  const object = parseObject(value);
  if (!object) return 'a JSON object with "url"';
  if (typeof object.url !== 'string' || !forms.url.fits(object.url)) return 'JSON whose "url" is an address';
  const secretError = signingSecretError(object.secret);
  if (secretError !== null) return secretError;
  for (const name of ['types', 'only_checks', 'only_tags']) {
    const words = object[name] ?? '';
    if (typeof words !== 'string') return `JSON whose "${name}" is a text`;
    if (name === 'types' && wordsOf(words).some((word) => !feedEventTypes.some((type) => type === word)))
      return `JSON whose "types" are some of ${feedEventTypes.join(', ')}`;
    if (wordsOf(words).length > feedWordsMax) return `JSON whose "${name}" are at most ${feedWordsMax}`;
  }
  return null;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** What it wants, as the API's parameters have it. */
export interface FeedFilter {
  readonly types: readonly string[];
  readonly checks: readonly string[];
  readonly tags: readonly string[];
}

/** Of a valid value. */
export function feedFilterOf(value: string): FeedFilter {
  const object = parseObject(value) ?? {};
  const words = (name: string): readonly string[] => {
    const text = object[name];
    return typeof text === 'string' ? wordsOf(text) : [];
  };
  return { types: words('types'), checks: words('only_checks'), tags: words('only_tags') };
}
