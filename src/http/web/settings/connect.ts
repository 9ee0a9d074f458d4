/**
 * Adds an integration on the vendor's own page: redirects the browser there, and takes the code that it returns with. The exchange over
 * the network is in `notify/admin/connections`; the integration is created as by the form.
 * Invariants: a code is accepted only in the session, for the project and the kind that it was requested for, within minutes. However
 * often a browser returns with the same state, it creates one integration.
 */
import type { Channel } from '../../../domain/accounts/project.ts';
import type { ConnectedView, VendorPageView } from '../../../domain/views/page-view.ts';
import { type ConnectedKind, connectedKinds } from '../../../integrations/all.ts';
import { titles } from '../../../integrations/contract/titles.ts';
import { KnellError } from '../../../lib/errors.ts';
import { asChannelId, idsOf } from '../../../lib/ids.ts';
import type { JsonObject } from '../../../spec/field-reader.ts';
import { connectionCodeCharsMax, connectionMsMax } from '../../limits.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import { type ProjectCall, textIn, type WebContext } from '../calls/call.ts';
import { originOf } from '../calls/principal.ts';
import { isOwnState, newState, placeOfState, readState, type VendorState } from '../vendors/vendor-state.ts';
import { createConnected, mustBeAddable } from './owner-endpoints.ts';

/** The one redirect URL that is entered in the vendors' apps. */
const returnPath = '/connected';

const redirectUri = ({ baseUrl }: WebContext): string => baseUrl() + returnPath;

/** `POST …/connect`: checks what the form has by then, since a code is valid only once. */
export function beginConnection(call: ProjectCall): HttpReply {
  const { context, json } = call;
  const { connections } = context.commands;
  const kind = connections.kinds.find((one) => one === textIn(json, 'kind'));
  if (!kind)
    throw new KnellError('conflict', 'this server has no app there any more: enter the address by hand');
  mustBeAddable(call, formIn(call, kind));
  const state = newState(call, kind, connectionMsMax);
  const url = connections.pageOf(kind, { state, redirectUri: redirectUri(context) });
  return jsonReply({ url, state } satisfies VendorPageView);
}

/** `POST …/connect/finish`: takes the code, and the rest of the form. */
export async function finishConnection(call: ProjectCall): Promise<HttpReply> {
  const { context, principal, request, json, nowMs } = call;
  const { kind, id, untilMs } = stateIn(call);
  const again = `choose Add to ${titles[kind]} again`;
  const there = await addedBy(call, id);
  if (there) return there;
  if (untilMs <= nowMs)
    throw new KnellError('conflict', `more than ${connectionMsMax / 60_000} minutes have passed: ${again}`);
  const code = textIn(json, 'code');
  if (code === '' || code.length > connectionCodeCharsMax)
    throw new KnellError('usage', `${titles[kind]} sent no code: ${again}`);
  const form = formIn(call, kind);
  mustBeAddable(call, form);
  const asked = { code, redirectUri: redirectUri(context), id };
  const connected = await context.commands.connections.exchange(kind, asked);
  if (typeof connected === 'string') {
    // Another request with the same code may have been first.
    const other = await addedBy(call, id);
    if (other) return other;
    throw new KnellError('conflict', connected);
  }
  const { value, name } = connected;
  const args: JsonObject = { ...form, value, name: form.name || name };
  // With the key, a repeated request creates no second one.
  const change = context.engine.changeBy({ ...originOf(principal.user, request), idempotencyKey: id });
  return createConnected.run({ ...call, change, json: args });
}

/** What was typed before; the defaults if the form was in another tab. */
function formIn({ json }: ProjectCall, kind: ConnectedKind) {
  const { state: _state, code: _code, fields: _fields, value: _value, ...form } = json;
  return { ...form, kind, name: textIn(json, 'name') };
}

/** Of a state that was made in this session, for this project. */
function stateIn({ context, principal, project, json }: ProjectCall): VendorState & { kind: ConnectedKind } {
  const state = readState(context.tokens, textIn(json, 'state'));
  const kind = connectedKinds.find((one) => one === state?.kind);
  if (state && kind && state.project === project.id && isOwnState(state, principal))
    return { ...state, kind };
  throw new KnellError(
    'conflict',
    'this answer was not requested in this session: add the integration again',
  );
}

/** The reply about the integration that this state has created; null if there is none. */
async function addedBy({ context, project, nowMs }: ProjectCall, id: string): Promise<HttpReply | null> {
  const { read } = context.engine;
  const channelId = asChannelId(idsOf(id).newUuid());
  const isIt = (channel: Channel): boolean => channel.id === channelId;
  const channel = await read.durably(() => read.channels(project.id).find(isIt) ?? null);
  if (!channel) return null;
  const list = context.lists.of(project.id, nowMs);
  await list.summary(nowMs);
  const checks = list.usedFor(channelId);
  return jsonReply({ id: channelId, name: channel.name, checks, wasThere: true } satisfies ConnectedView);
}

/**
 * The address of the form that a request to the redirect URL continues at; null if its state has no valid form. The form sends the code
 * with the token of the page: opening an address changes nothing.
 */
export function connectedPath({ path, query }: HttpRequest): string | null {
  if (path !== returnPath) return null;
  const given = new URLSearchParams(query);
  const place = placeOfState(given.get('state') ?? '');
  if (!place || !connectedKinds.some((one) => one === place.kind)) return null;
  const names = ['state', 'code', 'error'].filter((name) => given.has(name));
  const kept = new URLSearchParams(names.map((name): [string, string] => [name, given.get(name) ?? '']));
  return `/project/${place.project}/integrations/new/${place.kind}?${kept}`;
}
