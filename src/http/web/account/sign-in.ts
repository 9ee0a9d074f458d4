/**
 * Signs users in and out, and sets a password by a one-time link.
 * Invariant: every try is counted (`sign-in-limits`) before anything is looked up; the answer to a wrong name is the answer to
 * a wrong password, and takes as long.
 */

import { channelsApart } from '../../../domain/accounts/channels-apart.ts';
import { defaultPreferences } from '../../../domain/accounts/preferences.ts';
import type { ChannelKind } from '../../../domain/accounts/project.ts';
import { accountOf, hasOwner, mayActAs, roleInProject, type User } from '../../../domain/accounts/user.ts';
import { passwordCharsMin } from '../../../domain/limits.ts';
import type { LinkView, OfferView } from '../../../domain/views/account-view.ts';
import type {
  FailingChannel,
  PageState,
  ProjectView,
  UnconfiguredView,
} from '../../../domain/views/page-view.ts';
import { asProjectId, asUserId, newUuid } from '../../../lib/ids.ts';
import { failingChannelsShownMax, projectsPerTurn } from '../../limits.ts';
import { errorReply, jsonReply, renderedReply } from '../../wire/json-reply.ts';
import { eachInTurns, jsonListInTurns } from '../../wire/list-in-turns.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type PublicCall, textIn, type UserCall, type WebContext } from '../calls/call.ts';
import { integrationTroubles, missingSettings } from '../calls/integration-troubles.ts';
import { mayAllow } from '../calls/may-allow.ts';
import { originOf, setCookie } from '../calls/principal.ts';
import { sessionTopic } from '../live/live.ts';
import { fillableKinds } from '../vendors/vendors.ts';
import { beginSession, busy, passwordIn, throttled } from './credentials.ts';
import { offerTo } from './hand-over.ts';
import { secondFactor } from './totp.ts';

export async function showState({ context, principal, nowMs }: PublicCall): Promise<HttpReply> {
  const { read } = context.engine;
  const user = principal && {
    id: principal.user.id,
    name: principal.user.name,
    role: principal.user.role,
    preferences: principal.user.preferences ?? defaultPreferences,
  };
  const { projects, ...configured } = principal
    ? await projectsOf(context, principal.user, nowMs)
    : nothingSeen;
  // Who signs in got the page before it was known who that is: the list is read while the browser starts what it has loaded.
  const [only, second] = projects;
  if (only && !second) context.lists.begin(asProjectId(only.id), nowMs);
  const listed = await jsonListInTurns(projects, projectsPerTurn);
  const fills = fillableKinds(context.serverSettings.current);
  const state: Omit<PageState, 'projects'> = {
    user,
    byProxy: principal !== null && principal.session === null,
    oidc: context.oidc?.name ?? null,
    sendsMail: context.commands.accounts.canSend,
    fresh: !hasOwner(read.users()),
    noPasswords: read.users().every(({ passwordHash }) => passwordHash === ''),
    csrf: principal ? context.tokens.csrf(principal.csrfBinding) : '',
    baseUrl: context.baseUrl(),
    ...configured,
    mayAllow: principal !== null && mayAllow({ context, principal }),
    ...(principal && fills.length > 0 ? { fills } : {}),
    emailDomain: context.emailDomain,
    badgeLabel: context.badgeLabel(),
    timeZone: principal ? context.serverSettings.current.timeZone : '',
    nowMs,
  };
  return renderedReply(`${JSON.stringify(state).slice(0, -1)},"projects":${listed}}`);
}

type SeenState = Pick<PageState, 'projects' | 'offers' | 'missing' | 'connects' | 'unconfigured' | 'failing'>;

const nothingSeen: SeenState = { projects: [], offers: [], missing: {}, unconfigured: {}, failing: {} };

/**
 * Returns the projects that a user may see, with the integrations that fail or cannot be reached, because their kinds need
 * settings that this server does not have.
 */
async function projectsOf(context: WebContext, user: User, nowMs: number): Promise<SeenState> {
  const { read } = context.engine;
  const missing = missingSettings(context);
  const projects: ProjectView[] = [];
  const unconfigured: Record<string, UnconfiguredView> = {};
  const failing: Record<string, readonly FailingChannel[]> = {};
  const offers: OfferView[] = [];
  await eachInTurns(read.projects(), projectsPerTurn, (project) => {
    const { id, name, plan } = project;
    const role = roleInProject(user, id);
    if (role === 'none') return;
    const offer = offerTo(read, user, project, nowMs);
    if (offer) offers.push(offer);
    projects.push({ id, name, plan, role });
    const channels = read.channels(id);
    const { unable, failing: wrong } = integrationTroubles(channels, missing);
    const [first] = unable;
    if (first) {
      const counts = new Map<ChannelKind, number>();
      for (const { kind } of unable) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const kinds = Array.from(counts, ([kind, count]) => ({ kind, count }));
      unconfigured[id] = { count: unable.length, name: first.name, kinds };
    }
    if (wrong.length > 0) {
      const apart = channelsApart(channels, mayActAs(role, 'editor'));
      failing[id] = wrong
        .slice(0, failingChannelsShownMax)
        .map(({ channel: { id, kind, name }, sinceMs }) => ({ id, kind, name, ...apart(id), sinceMs }));
    }
  });
  const { kinds: connects } = context.commands.connections;
  const connecting = connects.length === 0 ? {} : { connects };
  return { projects, offers, missing, ...connecting, unconfigured, failing };
}

export async function signIn(call: PublicCall): Promise<HttpReply> {
  const { context, json } = call;
  const typed = textIn(json, 'name').toLowerCase();
  const user = accountOf(context.engine.read.users(), typed);
  // By the name, so that an address gives nobody more tries.
  const name = user?.name.toLowerCase() ?? typed;
  const refused = throttled(call, name);
  if (refused) return refused;
  const right = await context.passwords.verify(passwordIn(call), user?.passwordHash ?? '');
  if (right === null) return busy;
  if (!right || !user) {
    context.signIns.failed(user ?? undefined, call.request, user ? 'wrong password' : 'unknown name');
    return errorReply(401, 'name or password is wrong');
  }
  const way = await secondFactor(call, user);
  if (typeof way !== 'string') return way;
  context.tries.succeeded(call.request.clientAddr, name);
  return signedIn(call, user, way);
}

export async function signOut({ context, change, request, principal, nowMs }: UserCall): Promise<HttpReply> {
  const { user, session } = principal;
  if (session) {
    const { id, untilMs } = session;
    await change.endSession({ userId: user.id, id, untilMs, endedAtMs: nowMs });
    context.dismiss(sessionTopic(user.id, id));
  }
  return jsonReply({}, 200, [setCookie('', request, context.basePath)]);
}

/**
 * Sends a link to the address of the account. The answer is the same for every name and does not wait for the mail, so it does
 * not reveal whether an account exists.
 */
export function sendPasswordLink(call: PublicCall): HttpReply {
  const { context, request, json, nowMs } = call;
  const waitSeconds = context.mailLinkRequests.take(request.clientAddr, nowMs);
  if (waitSeconds > 0) return errorReply(429, `too many requests, try again in ${waitSeconds} s`);
  if (!context.commands.accounts.canSend) return errorReply(409, 'this server sends no email');
  const user = accountOf(context.engine.read.users(), textIn(json, 'name'));
  // Once the answer is out: rendering the mail takes a millisecond, which would show who has an account.
  if (user) setTimeout(() => void context.commands.accounts.sendPasswordLink(user, nowMs), 20);
  return jsonReply({});
}

/** Returns the user of a link, so that the page can name them. */
export function showLink(call: PublicCall): HttpReply {
  const refused = throttled(call, '');
  if (refused) return refused;
  const link = linkIn(call);
  if (link === null) return badLink;
  if (link.kind === 'first') return jsonReply({ kind: 'first', name: '' } satisfies LinkView);
  const { user } = link;
  return jsonReply({ kind: 'user', name: user.name, ...invitationTo(call, user) } satisfies LinkView);
}

/** By their names of now; what is gone by now, or closed to the user, is not named. */
function invitationTo({ context, json }: PublicCall, user: User): Pick<LinkView, 'invitedBy' | 'project'> {
  const { read } = context.engine;
  const invitation = context.tokens.invitationOf(textIn(json, 'link'));
  const by = read.users().find(({ id }) => id === invitation?.by);
  if (!invitation || !by) return {};
  const project = invitation.project === null ? null : read.project(invitation.project);
  const isOpen = project !== null && roleInProject(user, project.id) !== 'none';
  return { invitedBy: by.name, ...(isOpen ? { project: project.name } : {}) };
}

/** Sets the password and uses the link up: the password is part of the signature, and the first user ends the first link. */
export async function setPassword(call: PublicCall): Promise<HttpReply> {
  const { context, json, nowMs } = call;
  const refused = throttled(call, '');
  if (refused) return refused;
  if (linkIn(call) === null) return badLink;
  const password = passwordIn(call);
  if (password.length < passwordCharsMin)
    return errorReply(400, `a password has at least ${passwordCharsMin} characters`);
  const passwordHash = await context.passwords.hash(password);
  if (passwordHash === null) return busy;
  // It is read again, because somebody else may have used it in between.
  const link = linkIn(call);
  if (link === null) return badLink;
  const user: User =
    link.kind === 'user'
      ? { ...link.user, passwordHash }
      : firstOwner(context.engine.read.users(), {
          name: textIn(json, 'name') || 'owner',
          passwordHash,
          nowMs,
        });
  await context.engine.changeBy(originOf(user, call.request)).putUser(user);
  // The link replaces only the password.
  return user.totp ? jsonReply({ signIn: true }) : signedIn(call, user, 'with a link');
}

interface FirstOwner {
  readonly name: string;
  readonly passwordHash: string;
  readonly nowMs: number;
}

/** Returns a user whom an import brought, if the name is theirs and nobody has a password for it; else a new user. */
function firstOwner(users: readonly User[], { name, passwordHash, nowMs }: FirstOwner): User {
  const lower = name.toLowerCase();
  const known = users.find((user) => user.name.toLowerCase() === lower && user.passwordHash === '');
  if (known) return { ...known, role: 'owner', passwordHash };
  return { id: asUserId(newUuid()), name, role: 'owner', passwordHash, createdAtMs: nowMs };
}

const badLink = errorReply(
  410,
  'this link was used already or has expired: an owner can create a new one under Settings, "knell password reset" on the server prints one',
);

function signedIn(call: PublicCall, user: User, how: string): HttpReply {
  call.context.signIns.succeeded(user, call.request, how);
  return beginSession(call, user);
}

function linkIn({ context, json, nowMs }: PublicCall) {
  return context.tokens.linkOf(textIn(json, 'link'), context.engine.read.users(), nowMs);
}
