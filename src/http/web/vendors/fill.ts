/**
 * A form that goes away to a vendor and comes back filled in. The browser leaves with a signed state and comes back to the page
 * (`/filled/<kind>`), which hands the answer in here and fills the form with what this returns. `vendors` has what differs.
 * Invariants: an answer counts only in the session that requested it, for its project and kind, for some minutes, and on every
 * node of a cluster; an answer of somebody else's is refused. Nothing is created here: a person who comes back twice has a form twice.
 */
import type { Channel, ChannelKind } from '../../../domain/accounts/project.ts';
import { mayActAs, roleInProject } from '../../../domain/accounts/user.ts';
import type { FilledValue, FilledView } from '../../../domain/views/fill-view.ts';
import type { VendorPageView } from '../../../domain/views/page-view.ts';
import { kinds } from '../../../integrations/all.ts';
import { fieldsOfValue } from '../../../integrations/channel-form-value.ts';
import { titles } from '../../../integrations/contract/titles.ts';
import { asProjectId } from '../../../lib/ids.ts';
import { fillMsMax, vendorAnswerCharsMax } from '../../limits.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ProjectCall, textIn, type UserCall, type WebContext } from '../calls/call.ts';
import { isOwnState, newState, readState } from './vendor-state.ts';
import { vendorOf } from './vendors.ts';

export function beginFilling(call: ProjectCall): HttpReply {
  const { context, path } = call;
  const found = vendorOf(path.kind ?? '');
  if (!found) return notFound;
  const { kind, vendor } = found;
  const state = newState(call, kind, fillMsMax);
  const url = vendor.address(context.serverSettings.current, { url: returnUrl(context, kind), state });
  if (url !== null) return jsonReply({ url, state } satisfies VendorPageView);
  return errorReply(409, `an owner has to set this up for ${titles[kind]} under Server first`);
}

/** `query` of the body: what the browser came back with, as it was in its address. */
export function finishFilling({ context, principal, json, nowMs }: UserCall): HttpReply {
  const query = textIn(json, 'query');
  const answer = new URLSearchParams(query.length > vendorAnswerCharsMax ? '' : query);
  const state = readState(context.tokens, answer.get('state') ?? '');
  const found = state && vendorOf(state.kind);
  const project = state && context.engine.read.project(asProjectId(state.project));
  if (!found || found.kind !== textIn(json, 'kind')) return forged;
  const role = project ? roleInProject(principal.user, project.id) : 'none';
  if (!project || role === 'none') return notFound;
  const { title, fill = '' } = kinds[found.kind].form;
  const refused = (error: string): HttpReply =>
    jsonReply({ project: project.id, values: [], error } satisfies FilledView);
  if (!mayActAs(role, 'editor')) return refused('Your role is read-only. Ask an owner for access.');
  if (!isOwnState(state, principal))
    return refused(`You have signed in again since you went to ${title}. Choose ${fill} once more.`);
  if (nowMs > state.untilMs) return refused(`That took too long at ${title}. Choose ${fill} once more.`);
  const values = found.vendor.read(answer);
  if (typeof values === 'string') return refused(values);
  const channels = context.engine.read.channels(project.id);
  const marked = values.map((value) => withExisting(value, found.kind, channels));
  return jsonReply({ project: project.id, values: marked, error: '' } satisfies FilledView);
}

const forged = errorReply(
  400,
  'this address was not made by this Knell: begin once more, in the form of the integration',
);

function returnUrl({ baseUrl }: WebContext, kind: ChannelKind): string {
  return `${baseUrl()}/filled/${kind}`;
}

/** Names the integration that has the same contents already: a second one would send everything twice. */
function withExisting(value: FilledValue, kind: ChannelKind, channels: readonly Channel[]): FilledValue {
  const isSame = (channel: Channel): boolean => {
    const texts = channel.kind === kind ? fieldsOfValue(kind, channel.value) : {};
    return Object.entries(value.fields).every(([name, text]) => texts[name] === text);
  };
  const existing = channels.find(isSame);
  return existing ? { ...value, existing: existing.name || titles[kind] } : value;
}
