/**
 * Webhooks: a request of the owner's own making, with the placeholders that Healthchecks' users know. A kind with code,
 * since its template is in the integration's value.
 * Invariant: a placeholder's value cannot leave its place: it is one part of an address, one line of a header, and inside
 * a JSON body it stays in its string. What is filled in is not searched for placeholders again.
 */
import { tagsOf } from '../../domain/check/check.ts';
import type { TestAnswer } from '../../domain/deliveries/sent-notification.ts';
import {
  isJsonTemplate,
  isOfIncident,
  type PlaceholderName,
  placeholderPattern,
} from '../../integrations/contract/placeholders.ts';
import type { Notice, Outcome, Send } from '../contract/channel.ts';
import type { OutgoingRequest, SendHttp } from '../wire/send-http.ts';
import { escapes } from '../words/escape.ts';
import { isoOf, messageOf } from '../words/render.ts';
import { headerText } from './http-kind.ts';
import { type RequestOptions, tryRequest } from './http-response.ts';
import { signed } from './signed-request.ts';
import { testAnswer } from './test-answer.ts';

export function webhookSender(options: RequestOptions): Send {
  return async (notice, signal) => {
    const request = webhookRequest(notice);
    if (request === null)
      return { kind: 'refused', error: 'the integration has no valid URL for this event' };
    const { secret } = JSON.parse(notice.channel.value) as { readonly secret?: unknown };
    const sent =
      typeof secret === 'string' && secret !== ''
        ? signed(request, { secrets: secret, id: notice.deliveryId, atMs: options.nowMs() })
        : request;
    if (!notice.test) return tryRequest(options, { request: sent, rules: {}, signal, ownAddress: true });
    return testOutcome(options, sent, signal);
  };
}

/** With what was answered, for who wants to know whether it works. */
async function testOutcome(
  options: RequestOptions,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  let answer: TestAnswer | undefined;
  const send: SendHttp = async (one, cutOff) => {
    const response = await options.send(one, cutOff);
    answer = testAnswer(response, request);
    return response;
  };
  const outcome = await tryRequest({ ...options, send }, { request, rules: {}, signal, ownAddress: true });
  return answer ? { ...outcome, answer } : outcome;
}

/** Headers that decide how a request is framed: not the owner's to set. */
const ownHeaders: readonly string[] = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
];
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** Null when nothing is to be sent, or what is there is no address. */
export function webhookRequest(notice: Notice): OutgoingRequest | null {
  const { url, method, body, headers } = templateOf(notice);
  const address = replaced(url, notice, escapes.url);
  if (!URL.canParse(address) || !/^https?:/i.test(address)) return null;
  const filled: Record<string, string> = { 'Idempotency-Key': notice.deliveryId };
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || !headerName.test(name) || ownHeaders.includes(name.toLowerCase()))
      continue;
    filled[name] = headerText(replaced(value, notice, escapes.none));
  }
  const hasBody = body !== '' && method !== 'GET';
  const escaped = hasBody && isJsonTemplate(body) ? jsonInside : escapes.none;
  return { method, url: address, headers: filled, body: hasBody ? replaced(body, notice, escaped) : null };
}

interface WebhookTemplate {
  readonly url: string;
  readonly method: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

function templateOf({ channel, notificationKind }: Notice): WebhookTemplate {
  const direction = notificationKind === 'up' ? 'up' : 'down';
  const value = JSON.parse(channel.value) as Readonly<Record<string, unknown>>;
  const text = (name: string): string => {
    const found = value[`${name}_${direction}`];
    return typeof found === 'string' ? found : '';
  };
  const headers = value[`headers_${direction}`];
  const body = text('body');
  return {
    url: text('url'),
    method: text('method') || (body === '' ? 'GET' : 'POST'),
    body,
    headers: typeof headers === 'object' && headers !== null ? { ...headers } : {},
  };
}

/** Escapes a text for the inside of a JSON string. A value that is JSON by itself is not inside one. */
function jsonInside(text: string, name: string): string {
  return name.endsWith('JSON') ? text : escapes.json(text);
}

/** `template` with every placeholder replaced by its value as `escaped` makes it. */
export function replaced(
  template: string,
  notice: Notice,
  escaped: (text: string, name: string) => string,
): string {
  return template.replace(placeholderPattern, (whole, name: string) => {
    const value = placeholderValue(name, notice);
    return value === null ? whole : escaped(value, name);
  });
}

/** Null where the integration does not collect: its messages are about a check each. */
function incidentValue(name: string, notice: Notice): string | null {
  const { incident } = notice;
  if (!incident) return null;
  if (name === 'INCIDENT_ID') return incident.id;
  const { title, headline, facts } = messageOf(notice);
  if (name === 'INCIDENT_TITLE') return title;
  return [headline, ...facts.map(([label, value]) => `${label}: ${value}`)].join('\n');
}

type NameOfCheck = Exclude<PlaceholderName, `INCIDENT_${string}`>;
type Values = Readonly<Record<NameOfCheck, () => string>>;

/** Null for one that the check does not have: it is left as it is. */
export function placeholderValue(name: string, notice: Notice): string | null {
  const { check, notificationKind } = notice;
  const { config } = check;
  if (isOfIncident(name)) return incidentValue(name, notice);
  const values: Values = {
    CODE: () => check.id,
    CHECK_URL: () => notice.checkUrl,
    STATUS: () => (notificationKind === 'late' ? 'grace' : notificationKind),
    NOW: () => isoOf(notice.atMs),
    NAME: () => config.name,
    NAME_JSON: () => JSON.stringify(config.name),
    TAGS: () => config.tags,
    SLUG: () => config.slug,
    BODY: () => notice.body,
    BODY_JSON: () => JSON.stringify(notice.body),
    EXITSTATUS: () => String(notice.ping?.exitStatus ?? -1),
    JSON: () => notice.checkJson,
  };
  if (name in values) return values[name as NameOfCheck]();
  return tagsOf(config)[Number(name.slice('TAG'.length)) - 1] ?? null;
}
