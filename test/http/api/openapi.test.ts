/** The OpenAPI document: valid, complete, in agreement with what is validated and with what is answered. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkFields } from '../../../src/domain/check/check-fields.ts';
import { openApiDocument } from '../../../src/http/api/openapi.ts';
import { operations } from '../../../src/http/api/openapi-operations.ts';
import { componentSchemas } from '../../../src/http/api/openapi-schemas.ts';
import { apiRoutes, openRoutes } from '../../../src/http/api/routes.ts';
import { parameterSchemas, parseSpec } from '../../../src/spec/check-spec.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { disagreement } from '../../support/wire/api-agreement.ts';
import { send } from '../../support/wire/http-call.ts';

let knell: Knell;
beforeAll(async () => {
  knell = await Knell.start();
});
afterAll(() => knell.stop());

describe('the document', () => {
  test('is served without a key, to pages of any origin, with the address of this Knell', async () => {
    const answer = await knell.request('/api/v3/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument('http://knell.test'))));
    expect(answer.json().servers).toEqual([{ url: 'http://knell.test/api/v3' }]);
    expect((await knell.request('/api/v3/openapi.json', { method: 'POST' })).status).toBe(405);
    // Its point is no wildcard.
    expect((await knell.request('/api/v3/openapiXjson')).status).toBe(404);
  });

  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(openApiDocument('http://k')) as Json);
    expect([validator.version, errors ?? []]).toEqual(['3.1', []]);
    expect(valid).toBe(true);
  });

  test('has every endpoint once, with the keys that open it', () => {
    const { paths } = openApiDocument('http://k');
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => [`${method} ${path}`, Object(security).length]),
    );
    expect(Object.fromEntries(described)).toEqual({
      'get /checks/{check}/alerting': 1,
      'get /checks/': 2,
      'post /checks/': 1,
      'get /checks/{check}': 2,
      'post /checks/{check}': 1,
      'delete /checks/{check}': 1,
      'post /checks/{check}/pause': 1,
      'post /checks/{check}/resume': 1,
      'post /checks/{check}/acknowledge': 1,
      'post /checks/{check}/unacknowledge': 1,
      'get /checks/{check}/snooze': 2,
      'post /checks/{check}/snooze': 1,
      'post /checks/{check}/unsnooze': 1,
      'get /events': 2,
      'get /checks/{check}/hints/': 2,
      'post /schedules/preview': 2,
      'post /checks/{check}/retention/preview': 2,
      'post /retention/preview': 2,
      'get /snoozes/': 2,
      'get /maintenance/': 2,
      'post /maintenance/': 1,
      'get /maintenance/{window}': 2,
      'post /maintenance/{window}': 1,
      'delete /maintenance/{window}': 1,
      'post /maintenance/{window}/end': 1,
      'get /checks/{check}/pings/': 1,
      'get /checks/{check}/pings/{n}/body': 1,
      'get /checks/{check}/flips/': 2,
      'get /checks/{check}/results/': 2,
      'get /checks/{check}/results/{result}': 2,
      'get /checks/{check}/runs/': 2,
      'get /checks/{check}/runs/{n}': 1,
      'get /checks/{check}/notifications/': 1,
      'get /search': 2,
      'get /incidents/': 2,
      'get /incidents/{incident}': 2,
      'post /incidents/{incident}/acknowledge': 1,
      'post /incidents/{incident}/unacknowledge': 1,
      'post /incidents/{incident}/notes': 1,
      'get /channels/': 1,
      'get /badges/': 2,
      'get /status/': 0,
      'get /openapi.json': 0,
    });
    const endpoints = apiRoutes.flatMap(({ handlers }) =>
      [...handlers.values()].map(({ endpoint }) => endpoint.name),
    );
    expect(new Set(Object.keys(operations))).toEqual(new Set([...endpoints, ...openRoutes]));
  });

  test('has examples that are what their schema says', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'knell', components: { schemas: componentSchemas } });
    let examples = 0;
    for (const [name, schema] of Object.entries(componentSchemas)) {
      for (const example of 'examples' in schema && Array.isArray(schema.examples) ? schema.examples : []) {
        expect(ajv.validate({ $ref: `knell#/components/schemas/${name}` }, example), name).toBe(true);
        examples++;
      }
    }
    expect(examples).toBeGreaterThan(2);
  });
});

/** Values that a schema allows, at its limits. */
function allowedBy(schema: Json): readonly unknown[] {
  if (schema.enum) return schema.enum;
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'integer') return [schema.minimum, schema.maximum];
  if (schema.type === 'array') return [[], schema.items.enum];
  return ['', 'a'.repeat(schema.maxLength ?? 10)];
}

/** Values next to those, which it does not. */
function refusedBy(schema: Json): readonly unknown[] {
  if (schema.enum) return ['no such choice', 1];
  if (schema.type === 'boolean') return ['true', 1];
  if (schema.type === 'integer') return [schema.minimum - 1, schema.maximum + 1, String(schema.minimum)];
  if (schema.type === 'array') return [['no such item'], 'name'];
  return [
    1,
    ...(schema.maxLength ? ['a'.repeat(schema.maxLength + 1)] : []),
    ...(schema.pattern ? ['A b/'] : []),
  ];
}

describe('what a request may have', () => {
  const ajv = new Ajv2020({ strict: false });
  // Whose validity the schema does not know.
  const meaningful: readonly string[] = [
    ...[checkFields.schedule.json, checkFields.tz.json],
    // And whose pattern the values above do not follow: they have tests of their own.
    ...[
      checkFields.exitCodes.json,
      checkFields.hosts.json,
      checkFields.results.json,
      checkFields.retention.json,
    ],
  ];

  test.each(Object.entries(parameterSchemas))('%s is validated as its schema says', (name, schema) => {
    const validate = ajv.compile(schema);
    const cases = meaningful.includes(name) ? [] : allowedBy(schema);
    for (const value of cases)
      expect([validate(value), parseSpec({ [name]: value }).ok], String(value)).toEqual([true, true]);
    for (const value of refusedBy(schema))
      expect([validate(value), parseSpec({ [name]: value }).ok], String(value)).toEqual([false, false]);
  });
});

describe('an answer that disagrees is found', () => {
  const headers: Readonly<Record<string, string>> = {
    'Content-Type': 'application/json',
    'Access-Control-Allow-Origin': '*',
    ETag: '"0.x"',
  };
  const fault = (url: string, status: number, body: unknown, sent = headers, method = 'GET'): string | null =>
    disagreement(method, url, { status, text: JSON.stringify(body), header: (name) => sent[name] ?? null });

  test.each([
    ['a status', fault('/api/v3/channels/', 418, {}), 'no such status 418'],
    [
      'a property that is missing',
      fault('/api/v3/channels/', 200, {}),
      "must have required property 'channels'",
    ],
    [
      'one too many',
      fault('/api/v3/channels/', 200, { channels: [], more: 1 }),
      'must NOT have additional properties',
    ],
    [
      'one of another type',
      fault('/api/v3/checks/x/flips/?start=1', 200, [{ timestamp: 'today', up: 2 }]),
      'must match format',
    ],
    ['a body where there is none', fault('/api/v3/channels/', 304, {}), 'it has a body'],
    ['a header', fault('/api/v3/channels/', 429, { error: 'x' }), 'it lacks Retry-After'],
    [
      'the type of the content',
      fault('/api/v3/channels/', 200, {}, { ...headers, 'Content-Type': 'text/html' }),
      'its type is text/html',
    ],
    ['a status for a method', fault('/api/v3/channels/', 200, {}, headers, 'PUT'), 'no such status 200'],
  ])('%s', (_what, found, words) => {
    expect(found).toContain(words);
  });

  test('one that agrees is not', () => {
    expect(fault('/api/v3/channels/', 200, { channels: [] })).toBeNull();
    expect(fault('/api/v2/channels/', 418, {})).toBeNull();
    expect(fault('/api/v3/nowhere', 418, {})).toBeNull();
  });
});

test('a test whose answer disagrees fails', async () => {
  const wrong = { status: 418, headers: [], body: '' };
  await expect(send(() => wrong, { url: '/api/v3/channels/' })).rejects.toThrow('no such status 418');
  await expect(send(() => wrong, { url: '/web/state' })).resolves.toMatchObject({ status: 418 });
});
