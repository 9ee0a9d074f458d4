/**
 * Answers of the management API, version 3: each property once, with its type and description. The API is compiled against the
 * types, OpenAPI has the schemas, and the page and the commands read answers by the same types. A check's own fields come out of
 * their table (`check-fields`). Not here: what requests may have (`spec/check-spec`).
 * Invariant: properties are in the order in which they are sent.
 */
import { channelKinds } from '../../integrations/contract/titles.ts';
import { uniqueKeySource, uuidSource } from '../../lib/ids.ts';
import { incidentEntryKinds } from '../alerting/incident.ts';
import { incidentStages } from '../alerting/incident-machine.ts';
import { pastOutcomes } from '../alerting/who-was-notified.ts';
import { type CheckFieldName, type CheckFields, checkFields, checkKinds } from '../check/check-fields.ts';
import { type JsonSchema, shownFieldSchemas, textSchema } from '../check/field-schema.ts';
import { causes } from '../check/flip.ts';
import { pingNotes, schemes, signals } from '../check/ping.ts';
import { holdReasons } from '../check/snooze.ts';
import { statuses } from '../check/status.ts';
import { notificationKinds, notificationOutcomes } from '../deliveries/sent-notification.ts';
import { hintCodes } from '../runs/hints.ts';
import { shownOutcomes } from '../runs/run-log.ts';
import {
  type AnswerShape,
  amount,
  anyOf,
  choice,
  component,
  count,
  figure,
  flag,
  id,
  instant,
  listOf,
  mapOf,
  object,
  optional,
  orNull,
  type Sent,
  text,
  url,
} from './answer-shape.ts';

export const uuid = (description: string): AnswerShape<string> => id(uuidSource, description, 'uuid');
export const uniqueKey = (description: string): AnswerShape<string> => id(uniqueKeySource, description);

export const error = component(
  'Error',
  object(
    { error: text('What is wrong, in one line.') },
    { examples: [{ error: 'json validation error: timeout is too small' }] },
  ),
);

export type ErrorAnswer = Sent<typeof error>;

/** Fields as an owner sets them; the integrations are shown in another form, the kind of schedule by which fields there are. */
type FieldShapes = {
  readonly [Name in Exclude<CheckFieldName, 'kind' | 'channels'> as CheckFields[Name]['json']]: AnswerShape<
    CheckFields[Name]['default']
  >;
};

const { kind, channels, ...setFields } = checkFields;
const {
  name,
  slug,
  tags,
  desc,
  grace,
  timeout,
  schedule,
  tz,
  manual_resume,
  methods,
  results,
  retention,
  ...otherSettings
} = Object.fromEntries(
  Object.values(setFields).map(({ json }) => [json, { schema: shownFieldSchemas[json] }]),
) as FieldShapes;

const olderName: AnswerShape<string> = { schema: textSchema(checkFields.successKw) };

/** Mostly the same for all checks of a project: rendered in one piece. */
export const checkSettings = {
  manual_resume,
  methods,
  subject: olderName,
  subject_fail: olderName,
  ...otherSettings,
};

const shownCheck = {
  ...{ name, slug, tags, desc, grace },
  n_pings: count('Pings so far.'),
  status: choice(statuses),
  started: flag('A run of its job is in flight.'),
  last_ping: orNull(instant('When the last ping came.')),
  next_ping: orNull(instant('When the next one is expected.')),
  ...checkSettings,
  badge_url: url('Its badge, as SVG.'),
  last_duration: optional(count('What its last run took, in seconds; absent while none has ended.')),
  /** Absent for a check without any, whose answers are as they were before there were results. */
  results: optional(results),
  /** Absent for a check without any, likewise. */
  retention: optional(retention),
};

/** Properties of which a check has those of one kind of schedule. */
const expectation = { timeout: optional(timeout), schedule: optional(schedule), tz: optional(tz) };
const eitherExpectation: JsonSchema = {
  oneOf: [
    { title: 'simple', required: [checkFields.timeoutS.json] },
    { title: 'cron or OnCalendar', required: [checkFields.schedule.json, checkFields.tz.json] },
  ],
};

/** Properties that a read-write key sees. */
export const checkProperties = {
  ...shownCheck,
  uuid: uuid('Identifies the check, and lets anyone ping.'),
  ping_url: url('Where its job pings.'),
  update_url: url('Where it is updated.'),
  pause_url: url('Where it is paused.'),
  resume_url: url('Where it is resumed.'),
  channels: text('UUIDs of its integrations, between commas.'),
  ...expectation,
};
export type CheckAnswer = Sent<typeof checkProperties>;
export const check = component('Check', object(checkProperties, eitherExpectation));

/** Properties that a read-only key sees. */
export const readOnlyCheckProperties = {
  ...shownCheck,
  unique_key: uniqueKey('Identifies the check, and does not let anyone ping.'),
  ...expectation,
};
export type ReadOnlyCheckAnswer = Sent<typeof readOnlyCheckProperties>;
export const readOnlyCheck = component('CheckReadOnly', object(readOnlyCheckProperties, eitherExpectation));

const nextPage = optional(
  orNull(text('The cursor `after` of the next page, null for none; absent where no page was asked for.')),
);
export const checkOfAnyKey = anyOf(check, readOnlyCheck);
export const checkList = component(
  'CheckList',
  object({
    checks: listOf(checkOfAnyKey),
    next: nextPage,
  }),
);
export type CheckListAnswer = Sent<typeof checkList>;

/** State that holds back notifications of a check. */
const heldAlerts = {
  acknowledged: orNull(object({ timestamp: instant('Since when.'), by: text('By whom.') })),
  snoozed: orNull(
    object({ timestamp: instant('Since when.'), until: instant('Until when.'), by: text('By whom.') }),
  ),
};
export type HeldAlerts = Sent<typeof heldAlerts>;

export const snooze = component(
  'Snooze',
  object({
    uuid: optional(uuid('Identifies the check, for read-write keys.')),
    unique_key: optional(uniqueKey('Identifies it, for read-only keys.')),
    ...heldAlerts,
  }),
);
export type SnoozeAnswer = Sent<typeof snooze>;
export const snoozeList = component('SnoozeList', object({ snoozes: listOf(snooze) }));
export type SnoozeListAnswer = Sent<typeof snoozeList>;

const nextTime = object({
  at: instant('The time, in UTC.'),
  local: instant('The same time as the clock of the zone shows it, with its offset.'),
  dst: orNull(
    choice(
      ['skipped', 'repeated'],
      'The clock skips a time of the schedule before this one, or shows this one twice.',
    ),
  ),
  note: text('What follows from that, in one sentence; else empty.'),
});
export type NextTime = Sent<typeof nextTime>;

const alert = component(
  'Alert',
  object({
    at: instant('When it would have come.'),
    kind: choice(['down', 'up']),
    cause: choice(causes),
    why: text('Why, in one sentence.'),
  }),
);
export type AlertAnswer = Sent<typeof alert>;

const whatIf = component(
  'WhatIf',
  object({
    from: instant('From when on pings were replayed: the log may no longer hold earlier ones.'),
    until: instant('Until when.'),
    pings: count('Pings in that time.'),
    as_is: listOf(alert),
    as_asked: listOf(alert),
    only_as_is: listOf(alert),
    only_as_asked: listOf(alert),
    notes: listOf(text('What the replay could not know, in one sentence.')),
  }),
);
export type WhatIfAnswer = Sent<typeof whatIf>;

export const schedulePreview = component(
  'SchedulePreview',
  object({
    kind: choice(checkKinds),
    ...expectation,
    next: listOf(nextTime),
    what_if: orNull(whatIf),
  }),
);
export type SchedulePreviewAnswer = Sent<typeof schedulePreview>;

export const retentionPreview = component(
  'RetentionPreview',
  object({
    pings: count('Pings that would be dropped.'),
    bodies: count('Bodies that would be dropped, with those of these pings.'),
    bytes: count('Bytes of these bodies.'),
    checks: count('Checks that were looked at: those of a project that have no rules of their own.'),
    checks_left_out: count('Checks that were not looked at, as there are so many.'),
  }),
);
export type RetentionPreviewAnswer = Sent<typeof retentionPreview>;

const hint = object({
  code: choice(hintCodes),
  text: text('What the pings say, in one sentence.'),
  change: orNull(
    mapOf(
      anyOf(text('Of a text.'), count('Of a number.')),
      [],
      'Fields of an update that would mend it; null where none is safe.',
    ),
  ),
});
export const hintList = component('HintList', object({ hints: listOf(hint) }));
export type HintListAnswer = Sent<typeof hintList>;

const ping = component(
  'Ping',
  object({
    type: choice(signals),
    date: instant('When it came, with six fraction digits.'),
    n: count('Its number within the check.', 1),
    scheme: choice(schemes),
    remote_addr: text('From which address.'),
    method: text('The HTTP method; empty for an email.'),
    ua: text('The user agent.'),
    rid: orNull(text('Its run id.', 'uuid')),
    host: optional(text('The machine that sent it; absent where it named none.')),
    note: optional(choice(pingNotes, 'What was noticed of its run; absent for nothing.')),
    results: optional(
      mapOf(figure('In the unit of its rule.'), [], 'Numbers that it reported, by name; absent for none.'),
    ),
    duration: optional(amount('What the run took, in seconds; absent where it is not known.')),
    body_url: orNull(url('Where its body is; null for none.')),
    body_dropped_after: optional(
      count(
        'Seconds for which a rule of retention keeps its body, which it has dropped; absent for another.',
      ),
    ),
  }),
);
export type PingAnswer = Sent<typeof ping>;
export const pingList = component('PingList', object({ pings: listOf(ping), next: nextPage }));
export type PingListAnswer = Sent<typeof pingList>;

const runProperties = {
  outcome: choice(shownOutcomes),
  started: orNull(
    instant('When its start came; null where none came before its end, or where the log has it no more.'),
  ),
  ended: orNull(
    instant(
      'When it ended, when it should have (missed, hung), or when it was given up; null while it runs.',
    ),
  ),
  late_end: orNull(instant('When the end of a run came that had hung or was given up before.')),
  duration: orNull(
    amount('Seconds from its start to its end, also to a late one; null where one is unknown.'),
  ),
  rid: orNull(text('Its run id.', 'uuid')),
  host: text('The machine that it ran on, or should have; empty for none.'),
  exitstatus: orNull(count('The exit status that its end reported.')),
  note: orNull(choice(pingNotes, 'What was noticed of it.')),
  note_text: optional(
    text('Of `result`: which number was beyond which limit, in words. Absent for other notes.'),
  ),
  results: optional(
    mapOf(figure('In the unit of its rule.'), [], 'Numbers that its end reported, by name; absent for none.'),
  ),
};
/** Seconds with two decimals. */
const noteFigures = optional(
  object(
    {
      at_least: optional(amount('Of `too-short`: seconds that a run had to take.')),
      usual_from: optional(amount('Of `unusually-…`: seconds that a run usually took at least.')),
      usual_to: optional(amount('And at most.')),
      other_started: optional(instant('Of `overlap`: when the run started that was in flight.')),
      other_ended: optional(instant('Of `ended-before`: when its end came.')),
    },
    {
      description: 'The limits or instants behind the note, as they were then; absent where there are none.',
    },
  ),
);
const endNumber = orNull(count('Number of the ping that ended it; null for none.', 1));

const run = component(
  'Run',
  object({
    ...runProperties,
    pings: listOf(count('Number of one of its pings.', 1)),
    n: endNumber,
    figures: noteFigures,
  }),
);
export type RunAnswer = Sent<typeof run>;
export const runList = component(
  'RunList',
  object({
    runs: listOf(run),
    next: orNull(text('The cursor `before` of the next page; null for none.')),
    log_from: optional(
      instant(
        'When the oldest ping came that is listed: of earlier runs parts are missing, or all. Absent while all are.',
      ),
    ),
  }),
);
export type RunListAnswer = Sent<typeof runList>;

const resultRange = object({
  from: figure('The 10th percentile.'),
  median: figure('The median.'),
  to: figure('The 90th percentile.'),
});
export const resultList = component(
  'ResultList',
  object({
    results: listOf(
      object({
        name: text('Its name.'),
        unit: text('The unit of its rule; empty for none.'),
        has_rule: flag('A rule of the check is about it.'),
        last: orNull(figure('What the last run that reported it did; null for none that is listed.')),
        last_at: orNull(instant('When that came.')),
        verdict: orNull(
          choice(
            ['success', 'warning', 'failure'],
            'What its limits, as they are now, make of the last run; null without limits, and where no run reported it.',
          ),
        ),
        usual: orNull(resultRange),
        limits: listOf(
          object({
            kind: choice(['below', 'above', 'change', 'missing']),
            value: optional(figure('Of `change` the share: 0.5 for 50 %. Absent for `missing`.')),
            outcome: choice(['warning', 'failure'], 'What a success is that breaks it.'),
          }),
        ),
      }),
    ),
    left_out: optional(count('How many more names there are: 30 are listed. Absent for none.', 1)),
  }),
);
export type ResultListAnswer = Sent<typeof resultList>;

export const resultSeries = component(
  'ResultSeries',
  object({
    name: text('Its name.'),
    unit: text('The unit of its rule; empty for none.'),
    step: choice(['run', 'hour', 'day']),
    points: listOf(
      object({
        time: instant('When the run ended; of an hour or a day (UTC), when that began.'),
        n: optional(count('Number of the ping that ended the run.', 1)),
        type: optional(choice(signals, 'What the run was.')),
        value: optional(figure('What it reported.')),
        runs: optional(count('Of an hour or a day: how many runs reported it.', 1)),
        failed: optional(count('Of an hour or a day: how many runs failed, whatever they reported.')),
        average: optional(figure('Their average.')),
        min: optional(figure('The least of them.')),
        max: optional(figure('The most of them.')),
      }),
    ),
  }),
);
export type ResultSeriesAnswer = Sent<typeof resultSeries>;

export const runDetails = component(
  'RunDetails',
  object({
    ...runProperties,
    pings: listOf(ping),
    n: endNumber,
    figures: noteFigures,
    output: optional(orNull(text('With `output=1`: the body of its end as text; null for none.'))),
  }),
);
export type RunDetailsAnswer = Sent<typeof runDetails>;

const flip = component(
  'Flip',
  object({
    timestamp: instant('When the check changed.'),
    up: choice([0, 1], '1: it went up. 0: it went down.'),
  }),
);
export type FlipAnswer = Sent<typeof flip>;
export const flipList = component('FlipList', listOf(flip));
export type FlipListAnswer = Sent<typeof flipList>;

const notificationProperties = {
  timestamp: instant('When the outcome was known.'),
  event: choice(notificationKinds),
  changed_at: instant('When the check changed.'),
  channel: uuid('The integration.'),
  channel_name: text('Its name then.'),
  channel_kind: text('Its kind.'),
  outcome: choice(notificationOutcomes),
  attempts: count('How often sending was tried.'),
  error: text('Why it was not delivered; empty if it was.'),
};
export const notification = component('Notification', object(notificationProperties));
export type NotificationAnswer = Sent<typeof notification>;
export const notificationList = component(
  'NotificationList',
  object({ notifications: listOf(notification) }),
);
export type NotificationListAnswer = Sent<typeof notificationList>;

const heldAlert = component(
  'HeldAlert',
  object({
    reason: choice(['snooze', ...holdReasons]),
    until: orNull(instant('When that is looked at again; null: when what it is about changes.')),
    text: text('In words.'),
  }),
);

const recipient = component(
  'Recipient',
  object({
    channel: uuid('The integration.'),
    name: text('Its name.'),
    kind: text('Its kind.'),
    notified: flag('Whether it gets the alert, now or when nothing holds it back any more.'),
    after: count('Seconds that the check has to be down before.'),
    text: text('In one sentence.'),
  }),
);

export const alerting = component(
  'Alerting',
  object({
    text: text(
      'Who would be notified if the check went down now, or what became of its alert, in one sentence.',
    ),
    held: orNull(heldAlert),
    recipients: listOf(recipient),
  }),
);
export type AlertingAnswer = Sent<typeof alerting>;

const pastChange = component(
  'PastChange',
  object({
    timestamp: instant('When it happened.'),
    from: choice(statuses),
    to: choice(statuses),
    cause: choice(causes),
  }),
);
const pastNote = component(
  'PastNote',
  object({ timestamp: instant('Since when.'), text: text('In one sentence.') }),
);
const pastRecipient = component(
  'PastRecipient',
  object({
    channel: uuid('The integration.'),
    name: text('Its name; where it was deleted, the one that it had.'),
    kind: text('Its kind.'),
    outcome: choice(pastOutcomes, 'What became of the notification; none: no log has it.'),
    timestamp: orNull(instant('When that was known; null where no log has it.')),
    text: text('In sentences.'),
  }),
);
export const alertingPast = component(
  'AlertingPast',
  object({
    at: instant('The moment in the past.'),
    text: text('What the check was then, and whether anybody was notified of it.'),
    status: orNull(choice(statuses, 'What the check was; null where that is not known.')),
    change: orNull(pastChange),
    incident: orNull(uuid('The incident that it was in.')),
    notes: listOf(pastNote),
    recipients: listOf(pastRecipient),
  }),
);
export type AlertingPastAnswer = Sent<typeof alertingPast>;
const incidentProperties = {
  id: uuid('Identifies the incident.'),
  state: choice(incidentStages),
  title: text('What is down, in one sentence.'),
  opened: instant('When its first check went down.'),
  acknowledged: orNull(instant('When it was acknowledged; null if it is not.')),
  acknowledged_by: orNull(text('Who did that.')),
  resolved: orNull(instant('When the last of its checks was up; null until then.')),
  duration: amount('Seconds until it was resolved, or until now.'),
  n_checks: count('Checks that have joined it.', 1),
  n_down: count('Those that are down.'),
};
export const incident = component('Incident', object(incidentProperties));
export type IncidentAnswer = Sent<typeof incident>;
const listedIncident = component(
  'ListedIncident',
  object({
    ...incidentProperties,
    cause: optional(
      choice(
        causes,
        'Why the check that it opened with is or was down; absent where that is not known any more.',
      ),
    ),
    overrun: optional(
      amount('Only where a run of that check did not end in time: the seconds that it was given.'),
    ),
  }),
);
export type ListedIncidentAnswer = Sent<typeof listedIncident>;
export const incidentList = component(
  'IncidentList',
  object({
    incidents: listOf(listedIncident),
    next: orNull(text('The cursor `before` of the next page; null for none.')),
  }),
);
export type IncidentListAnswer = Sent<typeof incidentList>;

const incidentCheck = object({
  uuid: optional(uuid('Identifies the check, for read-write keys.')),
  unique_key: optional(uniqueKey('Identifies it, for read-only keys.')),
  name: text('Its name; of a check that is deleted, or in another project by now, that of when it joined.'),
  joined: instant('When it joined.'),
  left: orNull(instant('When it was up, paused or deleted; null while it is down.')),
  dependent: flag('It joined since it depends on a check that is down.'),
});
const incidentEntry = object({
  timestamp: instant('When it happened.'),
  kind: choice(incidentEntryKinds),
  check: text('Name of the check that it is about; empty for none.'),
  by: text('Who did it; empty for nobody.'),
  text: text('The note; empty for none.'),
});
/** One that is to be sent, or sent again. */
const waitingNotification = object({
  check: text('Name of the check.'),
  event: choice(notificationKinds),
  changed_at: instant('When the check changed.'),
  channel: uuid('The integration.'),
  channel_name: text('Its name.'),
  channel_kind: text('Its kind.'),
  since: instant('Since when it waits.'),
  attempts: count('How often sending has failed.'),
  error: text('Why it failed last; empty before the first attempt has.'),
  next_attempt: orNull(instant('When it is tried next; null for at once.')),
});
export const incidentDetails = component(
  'IncidentDetails',
  object({
    ...incidentProperties,
    checks: listOf(incidentCheck),
    entries: listOf(incidentEntry),
    notifications: optional(listOf(object({ check: text('Name of the check.'), ...notificationProperties }))),
    waiting: optional(listOf(waitingNotification)),
  }),
);
export type IncidentDetailsAnswer = Sent<typeof incidentDetails>;

const channel = component(
  'Channel',
  object({
    id: uuid('Identifies the integration.'),
    name: text('Its name; may be empty.'),
    kind: choice(channelKinds),
  }),
);
export const channelList = component('ChannelList', object({ channels: listOf(channel) }));
export type ChannelListAnswer = Sent<typeof channelList>;

const countsOfBadge =
  '`total`, `grace` and `down` count checks, `warning` those whose last run ended with a warning: absent for none.';
const badgeUrls = component(
  'BadgeUrls',
  object({
    svg: url('Up or down.'),
    svg3: url('Up, late or down.'),
    json: url(`Up or down, as JSON; ${countsOfBadge}`),
    json3: url(`Up, late or down, as JSON; ${countsOfBadge}`),
    shields: url('Up or down, for shields.io.'),
    shields3: url('Up, late or down, for shields.io.'),
  }),
);
export type BadgeUrls = Sent<typeof badgeUrls>;
export const badgeList = component(
  'BadgeList',
  object({ badges: mapOf(badgeUrls, ['*'], 'By tag; `*` is all checks of the project.') }),
);
export type BadgeListAnswer = Sent<typeof badgeList>;

/** All that answers refer to. */
export const answerComponents = [
  ...[error, check, readOnlyCheck, checkList, snooze, snoozeList, ping, pingList, flip, flipList],
  ...[run, runList, runDetails, resultList, resultSeries],
  ...[alert, whatIf, schedulePreview, retentionPreview, hintList],
  ...[heldAlert, recipient, alerting],
  ...[pastChange, pastNote, pastRecipient, alertingPast],
  ...[incident, listedIncident, incidentList, incidentDetails],
  ...[notification, notificationList, channel, channelList, badgeUrls, badgeList],
];
