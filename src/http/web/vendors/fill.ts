/**
 * A form that goes away to a vendor and comes back filled in. The browser leaves with a signed state and comes back to the page
 * (`/filled/<kind>`), which hands the answer in here and fills the form with what this returns. `vendors` has what differs.
 * Invariants: an answer counts only in the session that requested it, for its project and kind, for some minutes, and on every
 * node of a cluster; an answer of somebody else's is refused. Nothing is created here: a person who comes back twice has a form twice.
 */
import { createHash } from 'node:crypto';
import type { Channel, ChannelKind } from '../../../domain/accounts/project.ts';
import { mayActAs, roleInProject } from '../../../domain/accounts/user.ts';
import type { FilledValue, FilledView, FillView } from '../../../domain/views/fill-view.ts';
import { kinds } from '../../../integrations/all.ts';
import { fieldsOfValue } from '../../../integrations/channel-form-value.ts';
import { asProjectId } from '../../../lib/ids.ts';
import { fillMsMax, vendorAnswerCharsMax } from '../../limits.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ProjectCall, textIn, type UserCall, type WebContext } from '../calls/call.ts';
import type { Principal } from '../calls/principal.ts';
import { vendorOf } from './vendors.ts';

/** What the state says, once its signature is right. */
interface Request {
  readonly kind: ChannelKind;
  readonly project: string;
  /** A digest of the session: the state passes through the vendor. */
  readonly by: string;
  readonly untilMs: number;
}

const purpose = 'fill';

export function beginFilling(call: ProjectCall): HttpReply {
  const { context, principal, project, path, nowMs } = call;
  const found = vendorOf(path.kind ?? '');
  if (!found) return notFound;
  const { kind, vendor } = found;
  const request: Request = {
    ...{ kind, project: project.id, by: digestOf(principal) },
    untilMs: nowMs + fillMsMax,
  };
  const state = context.tokens.sealed(purpose, JSON.stringify(request));
  const url = vendor.address(context.serverSettings.current, { url: returnUrl(context, kind), state });
  if (url !== null) return jsonReply({ url } satisfies FillView);
  return errorReply(409, `an owner has to set this up for ${kinds[kind].form.title} under Server first`);
}

/** `query` of the body: what the browser came back with, as it was in its address. */
export async function finishFilling({ context, principal, json, nowMs }: UserCall): Promise<HttpReply> {
  const query = textIn(json, 'query');
  const answer = new URLSearchParams(query.length > vendorAnswerCharsMax ? '' : query);
  const request = requestIn(context, answer.get('state') ?? '');
  const found = request && vendorOf(request.kind);
  const project = request && context.engine.read.project(asProjectId(request.project));
  if (!found || found.kind !== textIn(json, 'kind')) return forged;
  const role = project ? roleInProject(principal.user, project.id) : 'none';
  if (!project || role === 'none') return notFound;
  const { title, fill = '' } = kinds[found.kind].form;
  const refused = (error: string): HttpReply =>
    jsonReply({ project: project.id, values: [], error } satisfies FilledView);
  if (!mayActAs(role, 'editor')) return refused('Your role is read-only. Ask an owner for access.');
  if (request.by !== digestOf(principal))
    return refused(`You have signed in again since you went to ${title}. Choose ${fill} once more.`);
  if (nowMs > request.untilMs) return refused(`That took too long at ${title}. Choose ${fill} once more.`);
  const values = await found.vendor.read(answer);
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

function requestIn({ tokens }: WebContext, state: string): Request | null {
  const text = tokens.unsealed(purpose, state);
  return text === null ? null : (JSON.parse(text) as Request);
}

/** Of a session it is the cookie, of which nobody guesses the digest; of a user whom the proxy has signed in, the user. */
function digestOf({ csrfBinding }: Principal): string {
  return createHash('sha256').update(csrfBinding).digest('base64url');
}

/** Who comes back twice is to know it before a second integration sends the same. */
function withExisting(value: FilledValue, kind: ChannelKind, channels: readonly Channel[]): FilledValue {
  const isSame = (channel: Channel): boolean => {
    const texts = channel.kind === kind ? fieldsOfValue(kind, channel.value) : {};
    return Object.entries(value.fields).every(([name, text]) => texts[name] === text);
  };
  const existing = channels.find(isSame);
  return existing ? { ...value, existing: existing.name || kinds[kind].form.title } : value;
}
