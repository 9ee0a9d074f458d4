/**
 * Builds the OpenAPI 3.1 document of the management API, version 3, from the table of routes, the rules that validate requests,
 * and the schemas of answers. `api` serves it.
 * Invariant: an endpoint cannot be left out: the routes are the list, and one without a description is an error.
 */

import type { JsonSchema } from '../../domain/check/field-schema.ts';
import { error, uniqueKey, uuid } from '../../domain/views/api-answers.ts';
import { assert } from '../../lib/errors.ts';
import {
  type Content,
  type ErrorStatus,
  type Operation,
  operations,
  operationTags,
} from './openapi-operations.ts';
import { componentSchemas, requestRef } from './openapi-schemas.ts';
import { apiRoutes, type RouteHandler } from './routes.ts';

/** An object of the document. */
type Part = Readonly<Record<string, unknown>>;

export interface OpenApiDocument extends Part {
  readonly openapi: '3.1.0';
  /** Operations by path below the server's URL, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>;
}

/** One way to ask for an operation. Routes that differ only in how they name the check are one path here. */
interface Way {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly access: RouteHandler['access'] | 'open';
  readonly isTagged: boolean;
}

/** `baseUrl` has no slash at its end. */
export function openApiDocument(baseUrl: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Knell Management API',
      version: '3',
      summary: 'The API of Healthchecks, version 3.',
      description:
        'A key belongs to one project, and so does everything that it shows. Repeated slashes in a path count as one; a path that lacks the slash at its end is redirected.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${baseUrl}/api/v3` }],
    tags: operationTags.map((name) => ({ name })),
    paths: paths(),
    components: {
      schemas: componentSchemas,
      headers: {
        AccessControlAllowOrigin: {
          description: 'A page of any origin may read the answer.',
          required: true,
          schema: { type: 'string', const: '*' },
        },
        ETag: {
          description:
            'Means the bytes of this answer. Sent back as If-None-Match, it is answered 304 as long as they are the same. After a restart, and on another node of a cluster, it is unknown.',
          required: true,
          schema: { type: 'string', pattern: '^"[0-9a-z]+\\.[A-Za-z0-9_-]+"$' },
        },
        RetryAfter: {
          description: 'Seconds after which to try again.',
          required: true,
          schema: { type: 'string', pattern: '^[0-9]+$' },
        },
      },
      securitySchemes: {
        readWriteKey: { ...apiKeyHeader, description: 'A read-write key of the project.' },
        readOnlyKey: { ...apiKeyHeader, description: 'A read-only key of the project.' },
      },
    },
  };
}

const apiKeyHeader = { type: 'apiKey', in: 'header', name: 'X-Api-Key' };

const ways: readonly Way[] = apiRoutes.flatMap(({ template, handlers, open }): readonly Way[] => {
  if (open !== null) return [{ id: open, method: 'GET', template, access: 'open', isTagged: false }];
  return [...handlers].map(([method, { access, endpoint, isTagged = false }]) => ({
    id: endpoint.name,
    method,
    template,
    access,
    isTagged,
  }));
});

function paths(): OpenApiDocument['paths'] {
  const byPath = new Map<string, Record<string, Part>>();
  for (const way of ways) {
    const path = pathOf(way.template);
    const methods = byPath.get(path) ?? {};
    methods[way.method.toLowerCase()] ??= operationOf(way);
    byPath.set(path, methods);
  }
  return Object.fromEntries(byPath);
}

/** A check is `{check}`, whether by UUID or by unique key. */
function pathOf(template: string): string {
  return `/${template.replace(/<(?:uuid|unique_key)>/, '{check}').replace(/<(n|incident|window|result)>/, '{$1}')}`;
}

function operationOf(way: Way): Part {
  const operation = operations[way.id];
  assert(operation !== undefined, `the endpoint ${way.id} is described`);
  return {
    operationId: way.id,
    tags: [operation.tag],
    summary: operation.summary,
    security: securityOf(way),
    parameters: [
      ...pathParameters(way),
      ...queryParameters(operation),
      ...(way.isTagged ? [ifNoneMatch] : []),
    ],
    ...(operation.body === undefined ? {} : { requestBody: bodyOf(operation.body) }),
    responses: responsesOf(way, operation),
  };
}

function securityOf({ access }: Way): readonly Part[] {
  const readWrite = { readWriteKey: [] };
  if (access === 'open') return [];
  return access === 'read' ? [readWrite, { readOnlyKey: [] }] : [readWrite];
}

function pathParameters({ id, method, template }: Way): readonly Part[] {
  const parameter = (name: string, schema: JsonSchema): Part => ({
    name,
    in: 'path',
    required: true,
    schema,
  });
  const alike = ways.filter(
    (other) => other.id === id && other.method === method && pathOf(other.template) === pathOf(template),
  );
  const named: JsonSchema[] = [];
  if (alike.some((way) => way.template.includes('<uuid>'))) named.push(uuid('The UUID of the check.').schema);
  if (alike.some((way) => way.template.includes('<unique_key>')))
    named.push(uniqueKey('Its unique key, as read-only keys see it.').schema);
  const check = named.length > 1 ? { anyOf: named } : named[0];
  return [
    ...(template.includes('<incident>')
      ? [parameter('incident', uuid('The id of the incident.').schema)]
      : []),
    ...(check === undefined ? [] : [parameter('check', check)]),
    ...(template.includes('<window>')
      ? [parameter('window', uuid('The UUID of the maintenance window.').schema)]
      : []),
    ...(template.includes('<result>')
      ? [parameter('result', { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,39}$' })]
      : []),
    ...(template.includes('<n>')
      ? [parameter('n', { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 })]
      : []),
  ];
}

const ifNoneMatch: Part = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an answer that the client has, or several with commas between.',
  schema: { type: 'string' },
};

function queryParameters({ query = [] }: Operation): readonly Part[] {
  return query.map(({ name, description, schema, required }) => ({
    ...{ name, in: 'query', description, schema },
    ...(required ? { required } : {}),
  }));
}

/** Every property of a body has a default, except of these: the length of a snooze, what is to be previewed, a note, when there is maintenance. */
const requiredBodies: ReadonlySet<string> = new Set([
  'SnoozeCheck',
  'PreviewSchedule',
  'PreviewRetention',
  'NoteIncident',
  'CreateMaintenance',
]);

function bodyOf(name: NonNullable<Operation['body']>): Part {
  return {
    required: requiredBodies.has(name),
    content: { 'application/json': { schema: requestRef(name) } },
  };
}

/**
 * Adds the errors that follow from the route: a key and its limit, a check that must exist, a body that must be readable. In a
 * cluster without an owner every operation answers 503.
 */
function responsesOf(way: Way, { answers, errors = [], body, answersCheck }: Operation): Part {
  const statuses = new Set<number>([...errors, 503]);
  if (way.access !== 'open') for (const status of [401, 429]) statuses.add(status);
  if (way.template.includes('<')) for (const status of [403, 404]) statuses.add(status);
  if (body !== undefined) for (const status of [400, 413]) statuses.add(status);
  return Object.fromEntries([
    ...Object.entries(answers).map(([status, content]) => [
      status,
      {
        ...answerOf(content, way.isTagged ? taggedHeaders : common),
        ...(answersCheck ? { links: linksByCheck() } : {}),
      },
    ]),
    ...(way.isTagged ? [['304', notModified]] : []),
    ...[...statuses].sort().map((status) => [String(status), errorOf(status)]),
  ]);
}

const common = { 'Access-Control-Allow-Origin': { $ref: '#/components/headers/AccessControlAllowOrigin' } };
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

const taggedHeaders = { ...common, ETag: { $ref: '#/components/headers/ETag' } };
const notModified: Part = {
  description: 'Nothing has changed since the answer with this ETag. Without a body.',
  headers: taggedHeaders,
};

function answerOf({ description, type, schema, hasCsv, hasStream }: Content, headers: Part): Part {
  const csv = hasCsv ? { 'text/csv': { schema: { type: 'string' } } } : {};
  const stream = hasStream ? { 'text/event-stream': { schema: { type: 'string' } } } : {};
  return { description, headers, content: { [type]: { schema }, ...csv, ...stream } };
}

/** Links from an answer that is a check to the operations on it. */
function linksByCheck(): Part {
  const ofOneCheck = ways.filter(
    ({ template }) => template.includes('<uuid>') && !/<n>|<result>/.test(template),
  );
  return Object.fromEntries(
    ofOneCheck.map(({ id }) => [id, { operationId: id, parameters: { check: '$response.body#/uuid' } }]),
  );
}

const errorWords: Readonly<Record<ErrorStatus | 401 | 413 | 429 | 503, string>> = {
  400: 'The request is malformed, or a value is not valid.',
  401: 'The key is missing, unknown, or does not open this endpoint.',
  403: 'The check, window or incident belongs to another project, or the plan allows no more checks.',
  404: 'There is no such check, window or incident, or nothing there.',
  409: 'The check, window or incident is in no state for that, or the project has too many windows.',
  413: 'The body is too large.',
  429: 'Too many requests.',
  500: 'The disk is full, or the log of the cluster does not answer: pings cannot be recorded.',
  503: 'The disk is full, the cluster has no node that can answer, or too many bodies are in flight: nothing was changed. Try again.',
};

function errorOf(status: number): Part {
  const description = Object.entries(errorWords).find(([known]) => known === String(status))?.[1] ?? '';
  return {
    description,
    headers: status === 429 || status === 503 ? { ...common, ...retryAfter } : common,
    content: { 'application/json': { schema: error.schema } },
  };
}
