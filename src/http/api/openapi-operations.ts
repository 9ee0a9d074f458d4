/**
 * The purpose, parameters and answers of each endpoint, by the name of its function. The table of routes has its path, its
 * method and its keys.
 */

import { incidentStages } from '../../domain/alerting/incident-machine.ts';
import type { JsonSchema } from '../../domain/check/field-schema.ts';
import { shownOutcomes } from '../../domain/runs/run-log.ts';
import { type AnswerShape, anyOf } from '../../domain/views/answer-shape.ts';
import * as answers from '../../domain/views/api-answers.ts';
import { defaultEventTypes, eventList, eventTypes } from '../../domain/views/event-answers.ts';
import { maintenance, maintenanceList } from '../../domain/views/maintenance-view.ts';
import { searchAnswer } from '../../domain/views/search-view.ts';
import { uniqueKeySource, uuidSource } from '../../lib/ids.ts';
import {
  eventFiltersMax,
  eventsListedDefault,
  eventsListedMax,
  eventWaitSMax,
  flipRangeLimits,
  incidentSearchCharsMax,
  incidentsListedDefault,
  incidentsListedMax,
  outputSearchLimits,
  pagedListed,
  runsListedDefault,
  runsListedMax,
} from '../limits.ts';
import type { RequestName } from './openapi-schemas.ts';
import { searchedParts } from './search/search-query.ts';

export const operationTags = ['Checks', 'History', 'Incidents', 'Maintenance', 'Project', 'Service'] as const;

export interface Operation {
  readonly tag: (typeof operationTags)[number];
  readonly summary: string;
  readonly query?: readonly QueryParameter[];
  readonly body?: RequestName;
  /** Content of a successful answer, by status. `read` answers each kind of key in its own way. */
  readonly answers: Readonly<Record<number, Content>>;
  /** Set if the answer is a check: it then links to all operations on one check. */
  readonly answersCheck?: true;
  /** Statuses of errors, in addition to those that follow from the route. */
  readonly errors?: readonly ErrorStatus[];
}

export type ErrorStatus = 400 | 403 | 404 | 409 | 500;

interface QueryParameter {
  readonly name: string;
  readonly description: string;
  /** Absent: it may be left out. */
  readonly required?: true;
  readonly schema: JsonSchema;
}

export interface Content {
  readonly description: string;
  readonly type: 'application/json' | 'text/plain';
  readonly schema: JsonSchema;
  /** Whether it also comes as a file of comma-separated values. */
  /** Whether it comes as server-sent events, too. */
  readonly hasStream?: true;
  readonly hasCsv?: true;
}

const json = ({ schema }: AnswerShape<unknown>, description: string): Content => ({
  description,
  type: 'application/json',
  schema,
});

const { timestampMax, secondsMax } = flipRangeLimits;
const range: readonly QueryParameter[] = [
  {
    name: 'start',
    description: 'Not before this UNIX timestamp.',
    schema: { type: 'integer', minimum: 0, maximum: timestampMax },
  },
  {
    name: 'end',
    description: 'Before this UNIX timestamp.',
    schema: { type: 'integer', minimum: 0, maximum: timestampMax },
  },
  {
    name: 'seconds',
    description: 'Within the last so many seconds; 0 for all.',
    schema: { type: 'integer', minimum: 0, maximum: secondsMax },
  },
];

/** One of the names, or several with commas between. */
function namesPattern(names: readonly string[]): string {
  const one = `(?:${names.join('|')})`;
  return `^${one}(?:,${one})*$`;
}

const paging: readonly QueryParameter[] = [
  {
    name: 'limit',
    description: 'By pages, of at most so many items. Without it and without `after` the list is whole.',
    schema: { type: 'integer', minimum: 1, maximum: pagedListed.max },
  },
  {
    name: 'after',
    description:
      'The page behind the one that had this as `next`: nothing is left out and nothing comes twice, whatever comes or goes meanwhile.',
    schema: { type: 'string' },
  },
];

const runFilters: readonly QueryParameter[] = [
  {
    name: 'outcome',
    description: 'Only runs with this outcome; with several, or with commas between, those with one of them.',
    schema: {
      type: 'array',
      items: { type: 'string', pattern: namesPattern(shownOutcomes), examples: [...shownOutcomes] },
    },
  },
  ...range,
  {
    name: 'limit',
    description: 'At most so many runs.',
    schema: { type: 'integer', minimum: 1, maximum: runsListedMax, default: runsListedDefault },
  },
  {
    name: 'before',
    description: 'The page after the one that had this as `next`.',
    schema: { type: 'string' },
  },
];

const incidentFilters: readonly QueryParameter[] = [
  {
    name: 'state',
    description: 'Only incidents in this state; with several, or with commas between, those in one of them.',
    schema: {
      type: 'array',
      items: { type: 'string', pattern: namesPattern(incidentStages), examples: [...incidentStages] },
    },
  },
  {
    name: 'q',
    description:
      'Only incidents in which this text is, in the name of a check, as it is or was, or in a note.',
    schema: { type: 'string', maxLength: incidentSearchCharsMax },
  },
  {
    name: 'limit',
    description: 'At most so many incidents.',
    schema: { type: 'integer', minimum: 1, maximum: incidentsListedMax, default: incidentsListedDefault },
  },
  {
    name: 'before',
    description: 'The page after the one that had this as `next`.',
    schema: { type: 'string' },
  },
];

const anInstant: JsonSchema = {
  oneOf: [
    { type: 'string', format: 'date-time' },
    { type: 'integer', minimum: 0, maximum: timestampMax },
  ],
};

const searchFilters: readonly QueryParameter[] = [
  {
    name: 'q',
    description:
      'Words that all have to be there, in any order, in upper or lower case. A part in double quotes is one word.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: outputSearchLimits.textCharsMax,
      pattern: '[A-Za-z0-9]',
    },
    required: true,
  },
  {
    name: 'in',
    description: 'Where to look; both if absent, with commas between if several.',
    schema: {
      type: 'array',
      items: { type: 'string', pattern: namesPattern(searchedParts), examples: [...searchedParts] },
    },
  },
  {
    name: 'check',
    description: 'Only this check: its UUID or unique key.',
    schema: { type: 'string', pattern: `^(?:${uuidSource}|${uniqueKeySource})$` },
  },
  { name: 'since', description: 'Only outputs from this instant on.', schema: anInstant },
  { name: 'until', description: 'Only outputs before this instant.', schema: anInstant },
  {
    name: 'limit',
    description: 'At most so many outputs in one answer.',
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: outputSearchLimits.hits.max,
      default: outputSearchLimits.hits.default,
    },
  },
  {
    name: 'after',
    description: 'Go on where the answer ended that had this as `next`, with the same other parameters.',
    schema: { type: 'string', maxLength: outputSearchLimits.cursorCharsMax },
  },
];

export const operations: Readonly<Record<string, Operation>> = {
  listChecks: {
    tag: 'Checks',
    summary: 'List the checks of the project',
    query: [
      { name: 'slug', description: 'Only checks with this slug.', schema: { type: 'string' } },
      {
        name: 'tag',
        description: 'Only checks with this tag; with several, checks that have all of them.',
        schema: { type: 'array', items: { type: 'string' } },
      },
      ...paging,
    ],
    errors: [400],
    answers: { 200: json(answers.checkList, 'The checks, oldest first.') },
  },
  createCheck: {
    tag: 'Checks',
    summary: 'Create a check, or update the one that is the same in the fields of `unique`',
    body: 'CreateCheck',
    answers: {
      201: json(answers.check, 'The new check.'),
      200: json(answers.check, 'The check that was updated.'),
    },
    answersCheck: true,
    errors: [403],
  },
  getCheck: {
    tag: 'Checks',
    summary: 'Get a check',
    answers: { 200: json(answers.checkOfAnyKey, 'The check.') },
  },
  updateCheck: {
    tag: 'Checks',
    summary: 'Update a check: only the fields that are sent',
    body: 'UpdateCheck',
    answers: { 200: json(answers.check, 'The check as it is now.') },
  },
  deleteCheck: {
    tag: 'Checks',
    summary: 'Delete a check',
    answers: { 200: json(answers.check, 'The check as it was.') },
  },
  pauseCheck: {
    tag: 'Checks',
    summary: 'Pause a check',
    body: 'KeyOnly',
    answers: { 200: json(answers.check, 'The check, paused.') },
  },
  resumeCheck: {
    tag: 'Checks',
    summary: 'Resume a check that is paused',
    body: 'KeyOnly',
    answers: { 200: json(answers.check, 'The check, as if it were new.') },
    errors: [409],
  },
  acknowledgeCheck: {
    tag: 'Checks',
    summary: 'Acknowledge that a check is down: no reminders until it is up',
    body: 'KeyOnly',
    answers: { 200: json(answers.check, 'The check.') },
    errors: [409],
  },
  unacknowledgeCheck: {
    tag: 'Checks',
    summary: 'Undo the acknowledgement of a check',
    body: 'KeyOnly',
    answers: { 200: json(answers.check, 'The check.') },
  },
  snoozeCheck: {
    tag: 'Checks',
    summary: 'Snooze a check: no notifications until a time; what is still true then is sent then',
    body: 'SnoozeCheck',
    answers: { 200: json(answers.check, 'The check.') },
  },
  unsnoozeCheck: {
    tag: 'Checks',
    summary: 'End the snooze of a check, as if its time had come',
    body: 'KeyOnly',
    answers: { 200: json(answers.check, 'The check.') },
  },
  showSnooze: {
    tag: 'Checks',
    summary: 'Get whether a check is acknowledged or snoozed',
    answers: { 200: json(answers.snooze, 'Both, or null.') },
  },
  previewSchedule: {
    tag: 'Checks',
    summary: 'Preview settings: the next times, and which alerts would have come. Changes nothing',
    body: 'PreviewSchedule',
    answers: { 200: json(answers.schedulePreview, 'The times, and with `check` the alerts of both ways.') },
    errors: [403, 404],
  },
  previewRetention: {
    tag: 'Checks',
    summary: 'Preview rules of retention of a check: what they would drop. Changes nothing',
    body: 'PreviewRetention',
    answers: { 200: json(answers.retentionPreview, 'What would be dropped.') },
  },
  previewProjectRetention: {
    tag: 'Project',
    summary: 'Preview rules of retention of the project: what they would drop. Changes nothing',
    body: 'PreviewRetention',
    answers: { 200: json(answers.retentionPreview, 'What would be dropped.') },
  },
  listHints: {
    tag: 'Checks',
    summary: 'List hints where the pings of a check say that its settings are wrong',
    answers: { 200: json(answers.hintList, 'The hints; mostly none.') },
  },
  listSnoozes: {
    tag: 'Checks',
    summary: 'List the checks that are acknowledged or snoozed',
    answers: { 200: json(answers.snoozeList, 'Them, oldest check first.') },
  },
  listMaintenance: {
    tag: 'Maintenance',
    summary: 'List the maintenance windows of the project',
    answers: { 200: json(maintenanceList, 'The windows, oldest first.') },
  },
  createMaintenance: {
    tag: 'Maintenance',
    summary: 'Create a maintenance window: meanwhile no alerts about its checks',
    body: 'CreateMaintenance',
    answers: { 201: json(maintenance, 'The new window.') },
    errors: [409],
  },
  getMaintenance: {
    tag: 'Maintenance',
    summary: 'Get a maintenance window',
    answers: { 200: json(maintenance, 'The window.') },
  },
  updateMaintenance: {
    tag: 'Maintenance',
    summary: 'Update a maintenance window: only the fields that are sent',
    body: 'UpdateMaintenance',
    answers: { 200: json(maintenance, 'The window as it is now.') },
  },
  endMaintenance: {
    tag: 'Maintenance',
    summary: 'End a maintenance window that is on; what comes later stays',
    body: 'KeyOnly',
    answers: { 200: json(maintenance, 'The window as it is now.') },
    errors: [409],
  },
  deleteMaintenance: {
    tag: 'Maintenance',
    summary: 'Delete a maintenance window',
    answers: { 200: json(maintenance, 'The window as it was.') },
  },
  listPings: {
    tag: 'History',
    summary: 'List the latest pings of a check',
    query: paging,
    errors: [400],
    answers: { 200: json(answers.pingList, 'The pings, newest first.') },
  },
  getPingBody: {
    tag: 'History',
    summary: 'Get the body of a ping',
    answers: {
      200: {
        description:
          'The bytes as they came. Of more than 100 kB: the first 10 kB, a line that says how many bytes were left out, and the end.',
        type: 'text/plain',
        schema: {},
      },
    },
  },
  listFlips: {
    tag: 'History',
    summary: 'List when a check went up and down',
    query: [
      ...range,
      {
        name: 'limit',
        description:
          'By pages, of at most so many changes. The answer stays an array; the header Link has the address of the next page.',
        schema: { type: 'integer', minimum: 1, maximum: pagedListed.max },
      },
      {
        name: 'after',
        description: 'The page behind the one whose Link named this, with the same other parameters.',
        schema: { type: 'string' },
      },
    ],
    answers: { 200: json(answers.flipList, 'The changes, newest first.') },
    errors: [400],
  },
  listRuns: {
    tag: 'History',
    summary: 'List the runs of a check',
    query: runFilters,
    answers: { 200: json(answers.runList, 'The runs, newest first by their start, or else by their end.') },
    errors: [400],
  },
  search: {
    tag: 'History',
    summary: 'Search the checks of the project and what their jobs printed',
    query: searchFilters,
    answers: {
      200: json(
        searchAnswer,
        'What one bounded piece of work found, outputs newest first, and how far it came. Read-only keys find checks only, as they read no bodies.',
      ),
    },
    errors: [400, 403, 404],
  },
  getRun: {
    tag: 'History',
    summary: 'Get the run that a ping belongs to',
    query: [
      {
        name: 'output',
        description: '1: with the body of its end as text.',
        schema: { type: 'string', enum: ['0', '1'] },
      },
    ],
    answers: { 200: json(answers.runDetails, 'The run, with its pings, newest first.') },
  },
  listResults: {
    tag: 'History',
    summary: 'List the numbers that the runs of a check report',
    answers: {
      200: json(answers.resultList, 'Those with a rule first, then in the order in which they came up.'),
    },
  },
  getResult: {
    tag: 'History',
    summary: 'Get the values of one number',
    query: [
      ...range,
      {
        name: 'step',
        description: 'A point for each run that is listed, or for each hour or day.',
        schema: { type: 'string', enum: ['run', 'hour', 'day'], default: 'run' },
      },
      {
        name: 'format',
        description:
          'As a file to download. Without it the answer is JSON, or CSV where the Accept header has text/csv first.',
        schema: { type: 'string', enum: ['csv', 'json'] },
      },
    ],
    answers: { 200: { ...json(answers.resultSeries, 'Its values, oldest first.'), hasCsv: true } },
    errors: [400],
  },
  listNotifications: {
    tag: 'History',
    summary: 'List what was sent about a check',
    query: range,
    answers: { 200: json(answers.notificationList, 'What was sent, newest first, at most 1,000.') },
    errors: [400],
  },
  showAlerting: {
    tag: 'Checks',
    summary:
      'Say who would be notified if a check went down now, or was notified at a moment in the past, and why others not',
    query: [
      {
        name: 'at',
        description:
          'A moment in the past: UNIX time, or ISO 8601 with an offset. The answer is then what became of the notification of what the check was. Whole seconds mean their end, so that the timestamp of a flip means that flip; a moment in the future means now.',
        schema: {
          oneOf: [
            { type: 'string', format: 'date-time' },
            { type: 'integer', minimum: 0, maximum: timestampMax },
          ],
        },
      },
    ],
    answers: {
      200: json(
        anyOf(answers.alerting, answers.alertingPast),
        'Of a check that is down: what became of its alert. With `at`: the kept logs have it, and what they do not say is said to be unknown.',
      ),
    },
    errors: [400],
  },
  listIncidents: {
    tag: 'Incidents',
    summary: 'List the incidents of the project',
    query: incidentFilters,
    answers: { 200: json(answers.incidentList, 'The incidents, newest first.') },
    errors: [400],
  },
  getIncident: {
    tag: 'Incidents',
    summary: 'Get an incident',
    answers: {
      200: json(
        answers.incidentDetails,
        'The incident, its checks in the order in which they joined, its entries, oldest first, and for read-write keys the newest 50 notifications about its checks, newest first.',
      ),
    },
  },
  acknowledgeIncident: {
    tag: 'Incidents',
    summary: 'Acknowledge an incident with all of its checks: no reminders until they are up',
    body: 'AcknowledgeIncident',
    answers: { 200: json(answers.incidentDetails, 'The incident.') },
    errors: [409],
  },
  unacknowledgeIncident: {
    tag: 'Incidents',
    summary: 'Undo the acknowledgement of an incident and of its checks',
    body: 'AcknowledgeIncident',
    answers: { 200: json(answers.incidentDetails, 'The incident.') },
    errors: [409],
  },
  noteIncident: {
    tag: 'Incidents',
    summary: 'Leave a note in an incident, also in one that is resolved',
    body: 'NoteIncident',
    answers: { 200: json(answers.incidentDetails, 'The incident.') },
  },
  listEvents: {
    tag: 'Project',
    summary: 'Listen to what happens in the project, by server-sent events; or a page of it as JSON',
    query: [
      {
        name: 'types',
        description: `Only events of these types; several with commas between. Without it: ${defaultEventTypes.join(', ')}.`,
        schema: {
          type: 'array',
          items: { type: 'string', pattern: namesPattern(eventTypes), examples: [...eventTypes] },
        },
      },
      {
        name: 'check',
        description: 'Only events of this check, by UUID, unique key or slug; with several, of one of them.',
        schema: { type: 'array', items: { type: 'string' }, maxItems: eventFiltersMax },
      },
      {
        name: 'tag',
        description: 'Only events of checks that have this tag; with several, one of them.',
        schema: { type: 'array', items: { type: 'string' }, maxItems: eventFiltersMax },
      },
      {
        name: 'after',
        description:
          'Where to begin: behind the event that has this id, `oldest` for all that is kept, or `now`. A stream begins now, and the header Last-Event-ID counts more; a page begins with the oldest.',
        schema: { type: 'string', pattern: '^(?:now|oldest|[0-9a-f]{5}-[0-9]{1,14}-[0-9]{1,10})?$' },
      },
      {
        name: 'limit',
        description: 'At most so many events in a page.',
        schema: { type: 'integer', minimum: 1, maximum: eventsListedMax, default: eventsListedDefault },
      },
      {
        name: 'wait',
        description: 'Seconds that a page waits for its first event, if there is none yet.',
        schema: { type: 'integer', minimum: 0, maximum: eventWaitSMax, default: 0 },
      },
      {
        name: 'format',
        description: 'sse for a stream, json for a page. Without it, the header Accept decides.',
        schema: { type: 'string', enum: ['sse', 'json'] },
      },
    ],
    answers: {
      200: {
        ...json(
          eventList,
          'A page, oldest first. As a stream (text/event-stream) each event has its id and type, and the object as its data; an event `gap` says what is missing, `end` why the stream ends.',
        ),
        hasStream: true,
      },
    },
    errors: [400],
  },
  listChannels: {
    tag: 'Project',
    summary: 'List the integrations of the project',
    answers: { 200: json(answers.channelList, 'The integrations.') },
  },
  listBadges: {
    tag: 'Project',
    summary: 'List the badges of the project',
    answers: { 200: json(answers.badgeList, 'Their addresses.') },
  },
  serviceStatus: {
    tag: 'Service',
    summary: 'Find out whether Knell can record pings',
    answers: { 200: { description: 'It can.', type: 'text/plain', schema: { type: 'string', const: 'OK' } } },
    errors: [500],
  },
  openApiDocument: {
    tag: 'Service',
    summary: 'Get this document',
    answers: {
      200: { description: 'OpenAPI 3.1.', type: 'application/json', schema: { type: 'object' } },
    },
  },
};
