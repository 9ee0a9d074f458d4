/**
 * Events as the management API sends them, over `GET /api/v3/events` and to event subscriptions: each property once, with its
 * type and description. What a project's listener may see of them is decided in `http/api/events`.
 * Invariant: properties are in the order in which they are sent.
 */
import { auditActions, auditSubjects } from '../accounts/audit.ts';
import { causes } from '../check/flip.ts';
import { signals } from '../check/ping.ts';
import { statuses } from '../check/status.ts';
import {
  amount,
  anyOf,
  choice,
  component,
  count,
  flag,
  instant,
  listOf,
  mapOf,
  object,
  optional,
  orNull,
  type Sent,
  text,
} from './answer-shape.ts';
import { incident, notification, uniqueKey, uuid } from './api-answers.ts';

/** Types of events, in the words of the parameter `types`. */
export const eventTypes = ['ping', 'status', 'run', 'incident', 'delivery', 'configuration'] as const;
export type EventType = (typeof eventTypes)[number];

/** Those that a listener gets who names none: a busy project has thousands of pings a second. */
export const defaultEventTypes: readonly EventType[] = eventTypes.filter((type) => type !== 'ping');

export const runEventOutcomes = ['succeeded', 'warned', 'failed', 'missed', 'hung', 'overtaken'] as const;

const eventCheck = {
  uuid: optional(uuid('Its UUID; only for a read-write key.')),
  unique_key: optional(uniqueKey('Its unique key; only for a read-only key.')),
  name: text('Its name.'),
  slug: text('Its slug; empty for a check that is deleted.'),
  tags: text('Its tags, separated by spaces.'),
};

const head = {
  id: text('The place of the event in the journal: send it back as `Last-Event-ID`, or as `after`.'),
  timestamp: instant('When it happened.'),
};
const ofCheck = { ...head, check: object(eventCheck) };

const pingEvent = object({
  ...{ id: head.id, type: choice(['ping']), timestamp: head.timestamp },
  check: ofCheck.check,
  n: count('Its number.'),
  signal: choice(signals),
  rid: orNull(uuid('The id of its run.')),
  exitstatus: orNull(count('The exit status that it reported.')),
  host: optional(text('The machine that it came from.')),
  duration: orNull(amount('Seconds of the run that it ended, where its start was reported.')),
  results: optional(mapOf(amount('In the unit of its rule.'), [], 'Numbers that it reported, by name.')),
  body_bytes: count('Bytes of its body, which `pings/<n>/body` has.'),
});

const statusEvent = object({
  ...{ id: head.id, type: choice(['status']), timestamp: head.timestamp },
  check: ofCheck.check,
  status: choice(statuses),
  previous: choice(statuses),
  cause: choice(causes),
});

const runEvent = object({
  ...{ id: head.id, type: choice(['run']), timestamp: head.timestamp },
  check: ofCheck.check,
  outcome: choice(runEventOutcomes),
  started: orNull(instant('When it started, where that was reported.')),
  duration: orNull(amount('Seconds that it took, where its start was reported.')),
  rid: orNull(uuid('Its id.')),
  host: text('The machine that it ran on; empty for none.'),
  exitstatus: orNull(count('The exit status that it reported.')),
  n: orNull(count('The number of the ping that ended it; null for a run that no ping ended.')),
});

const incidentEvent = object({
  ...{ id: head.id, type: choice(['incident']) },
  timestamp: head.timestamp,
  incident,
});

const deliveryEvent = object({
  ...{ id: head.id, type: choice(['delivery']) },
  timestamp: head.timestamp,
  check: ofCheck.check,
  notification,
});

const configurationEvent = object({
  ...{ id: head.id, type: choice(['configuration']) },
  timestamp: head.timestamp,
  action: choice(auditActions),
  subject: choice(auditSubjects),
  subject_id: optional(text('The id of what was changed; of a check only for a read-write key.')),
  name: text('Its name at that time.'),
  fields: listOf(text('The name of a field that was changed.')),
  detail: text('What else there is to say, such as until when a check is snoozed.'),
  by: optional(text('Who changed it; only for a read-write key.')),
});

export const event = component(
  'Event',
  anyOf(pingEvent, statusEvent, runEvent, incidentEvent, deliveryEvent, configurationEvent),
);
export type EventAnswer = Sent<typeof event>;
export type EventCheckAnswer = Sent<typeof eventCheck>;

/** Events of which nobody knows any more: they are older than what is kept, or of another journal. */
export const eventGap = component(
  'EventGap',
  object({
    message: text('What is missing, and why, in one sentence.'),
    next: text('The id from which on all events follow.'),
  }),
);
export type EventGapAnswer = Sent<typeof eventGap>;

export const eventList = component(
  'EventList',
  object({
    events: listOf(event),
    next: text('Send it as `after` to read on, now or later.'),
    more: flag('Whether more events are there already.'),
    gap: optional(eventGap),
  }),
);
export type EventListAnswer = Sent<typeof eventList>;
