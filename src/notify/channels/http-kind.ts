/**
 * Kinds that are one HTTP call (or some in a row): a request template and how to read the answer, no code of their own.
 * Invariant: every request carries the delivery's id as `Idempotency-Key`, whatever the kind.
 */

import type { Channel } from '../../domain/accounts/project.ts';
import { channelFields } from '../../integrations/channel-value.ts';
import type {
  ButtonTemplate,
  HttpKind,
  RequestTemplate,
  TextLimit,
} from '../../integrations/contract/request.ts';
import { settingVariables, type TemplateSetting } from '../../integrations/contract/settings.ts';
import { titles } from '../../integrations/contract/titles.ts';
import type { ValueParts } from '../../integrations/contract/values.ts';
import {
  delivered,
  type IncidentMessage,
  type Notice,
  type Outcome,
  type Send,
} from '../contract/channel.ts';
import type { NotifySettings } from '../contract/settings.ts';
import type { OutgoingRequest, SendHttp } from '../wire/send-http.ts';
import { factsOf } from '../words/facts.ts';
import { oneLine } from '../words/render.ts';
import {
  type Filled,
  fill,
  fillObject,
  fillString,
  MissingField,
  type TemplateValues,
} from '../words/template.ts';
import { statusError, tryRequest } from './http-response.ts';
import { messageIdOf, tryUpdate, updatingRequest } from './message-update.ts';

export interface HttpKindOptions {
  readonly send: SendHttp;
  readonly settings: NotifySettings;
  /** Wall time, for an answer that names a date. */
  readonly nowMs: () => number;
}

/** The sender of such a kind. */
export function senderOf(kind: HttpKind, options: HttpKindOptions): Send {
  return async (notice, signal) => {
    const values = templateValues(notice, options.settings, kind.limit);
    const sending = { values, notice, kind, options, signal };
    const message = notice.incident?.message ?? null;
    if (message?.isUpdated) return (await update(sending, message)) ?? (await sendNew(sending));
    // The message of the outage says that it is over, too. The outcome is that of the new one.
    const isOver = message !== null && notice.notificationKind === 'up';
    const [outcome] = await Promise.all([sendNew(sending), isOver && update(sending, message)]);
    return outcome;
  };
}

async function sendNew(sending: Sending): Promise<Outcome> {
  const { kind, notice, options } = sending;
  let id: string | undefined;
  const send: SendHttp = async (request, signal) => {
    const response = await options.send(withQuery(request, kind.update?.query), signal);
    id = kind.update && messageIdOf(kind.update, response);
    return response;
  };
  const known = kind.update && notice.incident ? { ...sending, options: { ...options, send } } : sending;
  for (const template of kind.requests) {
    const outcome = await sendOne(template, known);
    if (outcome.kind !== 'delivered') return outcome;
  }
  return id === undefined ? delivered : { kind: 'delivered', message: id };
}

/** Null where there is no such thing, or the vendor has the message no more. */
async function update(sending: Sending, { id }: IncidentMessage): Promise<Outcome | null> {
  const { kind, options } = sending;
  const [template] = kind.requests;
  if (!kind.update || !template) return null;
  const updating = updatingRequest(template, kind.update);
  const outcome = await tryUpdate(kind.update, {
    http: options.send,
    send: (send) => sendOne(updating, { ...sending, options: { ...options, send } }),
  });
  return outcome?.kind === 'delivered' ? { kind: 'delivered', message: id } : outcome;
}

interface Sending {
  readonly values: TemplateValues;
  readonly notice: Notice;
  readonly kind: HttpKind;
  readonly options: HttpKindOptions;
  readonly signal: AbortSignal;
}

async function sendOne(
  template: RequestTemplate,
  { values, notice, kind, options, signal }: Sending,
): Promise<Outcome> {
  const { when } = template;
  if (when && (when.notificationKind !== notice.notificationKind || values.get(when.field) !== true))
    return delivered;
  try {
    const rules = { rules: kind.response ?? {}, signal, ownAddress: isOwn(template) };
    const { buttons, ...plain } = template;
    const request = requestOf(plain, values, notice);
    const withButtons = buttons && requestWithButtons(plain, buttons, values, notice);
    if (!withButtons) return tryRequest(options, { request, ...rules });
    const outcome = await tryRequest(options, { request: withButtons, ...rules });
    return isBadRequest(outcome) ? tryRequest(options, { request, ...rules }) : outcome;
  } catch (error) {
    if (error instanceof MissingField)
      return { kind: 'refused', error: missingText(error.message, notice.channel) };
    throw error;
  }
}

/** Not where the integration is gone: then nothing else would be taken either. */
function isBadRequest(outcome: Outcome): boolean {
  if (outcome.kind === 'delivered' || (outcome.kind === 'refused' && outcome.gone)) return false;
  return outcome.error === statusError(400);
}

/** Null where the notice has nothing to press. */
function requestWithButtons(
  template: RequestTemplate,
  { field, value, query }: ButtonTemplate,
  values: TemplateValues,
  notice: Notice,
): OutgoingRequest | null {
  const { json } = template;
  if (typeof json !== 'object' || Array.isArray(json)) return null;
  const name = `${field}?`;
  const filled = fill({ [name]: value }, values);
  if (typeof filled !== 'object' || filled === null || !(field in filled)) return null;
  return withQuery(requestOf({ ...template, json: { ...json, [name]: value } }, values, notice), query);
}

function withQuery(request: OutgoingRequest, query: Readonly<Record<string, string>> = {}): OutgoingRequest {
  if (Object.keys(query).length === 0) return request;
  const url = new URL(request.url);
  for (const [key, one] of Object.entries(query)) url.searchParams.set(key, one);
  return { ...request, url: url.href };
}

/** The whole of its address is in the integration's value. */
function isOwn({ url }: RequestTemplate): boolean {
  return typeof url === 'string' && /^\{value\.(?:value|url|base|site)\}/.test(url);
}

function missingText(path: string, { kind }: Channel): string {
  const [source, name = ''] = path.split('.');
  if (source === 'set' && isSettingName(name))
    return `${titles[kind]} needs ${settingVariables[name]} to be set`;
  return `the integration's value lacks ${name === '' ? path : name}`;
}

/** The request that a template makes of a notice. */
export function requestOf(
  template: RequestTemplate,
  values: TemplateValues,
  notice: Notice,
): OutgoingRequest {
  const { method = 'POST', url, headers = {}, basic, json, form, trusted } = template;
  const filled: Record<string, string> = { 'Idempotency-Key': notice.deliveryId };
  for (const [name, text] of Object.entries(fillObject(headers, values))) filled[name] = headerText(text);
  if (basic)
    filled.Authorization = `Basic ${base64(basic.map((text) => fillString(text, values)).join(':'))}`;
  if (json !== undefined) filled['Content-Type'] ??= 'application/json';
  if (form) filled['Content-Type'] = 'application/x-www-form-urlencoded';
  return {
    method,
    url: fillString(url, values),
    headers: filled,
    body: form
      ? formText(fill(form, values))
      : json === undefined
        ? null
        : JSON.stringify(fill(json, values)),
    ...(trusted ? { trusted } : {}),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function formText(filled: Filled): string {
  const form = new URLSearchParams();
  if (typeof filled === 'object' && filled !== null) {
    for (const [name, value] of Object.entries(filled))
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form.toString();
}

/** One line, Latin-1: what is beyond becomes a character reference, as Healthchecks has it. */
export function headerText(text: string): string {
  return oneLine(text).replace(/[^\x20-\xff]/gu, (char) => `&#${char.codePointAt(0)};`);
}

function isSettingName(name: string): name is TemplateSetting {
  return name in settingVariables;
}

/** Values that templates may name: facts of the notice, `value.…`, `set.…`. */
function templateValues(
  notice: Notice,
  settings: NotifySettings,
  limit: TextLimit | undefined,
): TemplateValues {
  const facts = factsOf(notice, limit);
  const fields: ValueParts = channelFields(notice.channel.kind, notice.channel.value);
  return {
    notificationKind: notice.notificationKind,
    get(path) {
      const [source = '', name] = path.split('.', 2);
      if (name === undefined) return facts(source);
      if (source === 'value') return fields[name];
      if (source === 'set' && isSettingName(name)) return settings[name] === '' ? undefined : settings[name];
      return undefined;
    },
  };
}
