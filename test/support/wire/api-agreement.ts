/**
 * Holds every answer of the API's version 3 that a test gets against the OpenAPI document: its status, headers, type of content and
 * body. Stricter than the document is for clients: a property that it does not name is an error.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../../src/http/api/openapi.ts';

export interface RecordedAnswer {
  readonly status: number;
  /** Null for one that did not come. */
  header(name: string): string | null;
  readonly text: string;
}

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly headers: Readonly<Record<string, unknown>>;
  /** Absent where there is no body. */
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}

const document = openApiDocument('http://knell.test');
/** By pattern of the path below `/api/v3`. */
const paths = Object.entries(document.paths).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  methods: methods as unknown as Readonly<Record<string, Operation>>,
}));

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'knell', ...strict({ components: document.components }) });
const validators = new Map<unknown, ValidateFunction>();

/** What a test has asked and got, of whatever version and path. Throws where the document says otherwise. */
export function mustAgree(method: string, url: string, answer: RecordedAnswer): void {
  const fault = disagreement(method, url, answer);
  if (fault === null) return;
  throw new Error(
    `${method} ${url} disagrees with the OpenAPI document: ${fault}: ${answer.text.slice(0, 500)}`,
  );
}

export function disagreement(method: string, url: string, answer: RecordedAnswer): string | null {
  const path = /^\/api\/v3(\/[^?]*)/.exec(url)?.[1];
  const methods = path === undefined ? undefined : paths.find(({ pattern }) => pattern.test(path))?.methods;
  if (path === undefined || methods === undefined) return null;
  const operation = methods[method.toLowerCase()];
  // What a path of the document is not for: a preflight, HEAD, a method that is refused.
  if (operation === undefined)
    return isOrdinary(method, answer.status) ? null : `no such status ${answer.status}`;
  const response = operation.responses[answer.status];
  if (response === undefined)
    return isOfNoCheck(path, answer.status) ? null : `no such status ${answer.status}`;
  const missing = Object.keys(response.headers).filter((name) => answer.header(name) === null);
  if (missing.length > 0) return `it lacks ${missing.join()}`;
  const type = (answer.header('Content-Type') ?? '').split(';')[0] ?? '';
  if (response.content === undefined) return answer.text === '' ? null : 'it has a body';
  const content = response.content[type];
  if (content === undefined) return `its type is ${type}`;
  return bodyFault(content.schema, type === 'application/json' ? JSON.parse(answer.text) : answer.text);
}

function isOrdinary(method: string, status: number): boolean {
  if (method === 'OPTIONS') return status === 204;
  return method === 'HEAD' ? status === 200 || status === 405 || status === 500 : status === 405;
}

/** A path with something that is no UUID is no path of the API, or one that takes other methods. */
function isOfNoCheck(path: string, status: number): boolean {
  return (
    !/^\/checks\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.test(path) && (status === 404 || status === 405)
  );
}

function bodyFault(schema: Json, body: unknown): string | null {
  const validate = validators.get(schema) ?? ajv.compile(strict(schema, 'knell'));
  validators.set(schema, validate);
  return validate(body) ? null : ajv.errorsText(validate.errors);
}

/** Objects have the properties that they name, and no other. `base`: the document that references are in. */
function strict(schema: Json, base = ''): Json {
  const entries = Object.entries(schema).map(([name, value]) => [name, strictValue(value, base)]);
  const plain = Object.fromEntries(entries);
  if (typeof schema.$ref === 'string') return { ...plain, $ref: base + schema.$ref };
  if (!('properties' in schema) || 'examples' in schema) return plain;
  return { ...plain, additionalProperties: false };
}

function strictValue(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map((one) => strictValue(one, base));
  return typeof value === 'object' && value !== null ? strict(value as Json, base) : value;
}
