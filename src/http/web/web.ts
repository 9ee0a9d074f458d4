/**
 * The endpoints of the page, read downward: its files, then authentication, then the endpoint. One table lists the endpoints
 * and who may use each. `server` has the sockets; the folders beside this file have what an endpoint does.
 * Invariant: a change needs JSON, which no form of another site can send, and, once somebody is signed in, the token that only
 * the page has. Links in emails, whose readers may have no account, are in `mail-links`.
 */

import type { Project } from '../../domain/accounts/project.ts';
import { type MemberRole, mayActAs, type Role, roleInProject } from '../../domain/accounts/user.ts';
import { projectsSeenBy } from '../../engine/reads/build-report.ts';
import { asProjectId } from '../../lib/ids.ts';
import { requestJson } from '../api/request-json.ts';
import { errorReply, notFound } from '../wire/json-reply.ts';
import type { HttpReply, HttpRequest, Route } from '../wire/message.ts';
import { plainPage } from '../wire/plain-page.ts';
import { refusal } from '../wire/refusal.ts';
import { text } from '../wire/replies.ts';
import * as account from './account/account.ts';
import { closeAccount } from './account/close-account.ts';
import { acceptOffer, declineOffer, offerProject, withdrawOffer } from './account/hand-over.ts';
import { withdrawAddress } from './account/new-address.ts';
import { finishOidc, startOidc } from './account/oidc.ts';
import * as passkeys from './account/passkeys.ts';
import { noteUse } from './account/sessions.ts';
import { sendPasswordLink, setPassword, showLink, showState, signIn, signOut } from './account/sign-in.ts';
import * as totp from './account/totp.ts';
import { type Assets, guardHeaders } from './assets.ts';
import type {
  EndpointReply,
  ProjectCall,
  PublicCall,
  UserCall,
  UserEndpoint,
  WebContext,
} from './calls/call.ts';
import {
  authenticate,
  authHeaders,
  csrfHeader,
  originOf,
  type Principal,
  principalOf,
  singleHeaders,
} from './calls/principal.ts';
import { isCheckAddress, redirectToCheck } from './checks/check-addresses.ts';
import { previewCrontab } from './checks/crontab.ts';
import { findChecks } from './checks/find-checks.ts';
import { showIncident, showSnoozedIncidents } from './checks/incident.ts';
import { exportIncidents, showIncidents } from './checks/incident-list.ts';
import { showLog } from './checks/log.ts';
import { moveToProject } from './checks/move-check.ts';
import { showNeighbours } from './checks/neighbours.ts';
import { showOverview, showUptimes, wallKeyHeader } from './checks/overview.ts';
import { pingByHand, showMarkUp } from './checks/ping-by-hand.ts';
import { undoPause, undoSnooze } from './checks/undo.ts';
import { listRows, showList, showStory, showSummary } from './live/rows.ts';
import { showStatistics } from './live/statistics.ts';
import { movedPath } from './old-addresses.ts';
import { answerAddressLink } from './settings/address-links.ts';
import { answerAlertLink } from './settings/alert-links.ts';
import { exportAudit, showAudit } from './settings/audit.ts';
import { beginConnection, connectedPath, finishConnection } from './settings/connect.ts';
import { assignAll, discardAll, retryAll, showIntegrations } from './settings/integrations.ts';
import { answerMailLink } from './settings/mail-links.ts';
import { previewMaintenance, showActiveMaintenance } from './settings/maintenance.ts';
import { beginMatrixChat, findMatrixChat } from './settings/matrix-chat.ts';
import * as members from './settings/members.ts';
import { listOutbox, showAttempt } from './settings/outbox.ts';
import * as owner from './settings/owner-endpoints.ts';
import { forbidden, judgeDraft, previewSchedule, throughApi } from './settings/project-scope.ts';
import { replaceSubscription, showPushKey } from './settings/push.ts';
import { answerReportLink } from './settings/report-links.ts';
import * as reports from './settings/reports.ts';
import {
  allowAddresses,
  changeServerSetting,
  sendTestMail,
  showServerSettings,
} from './settings/server-settings.ts';
import { showSettings } from './settings/settings.ts';
import { beginTelegramChat, findTelegramChat } from './settings/telegram-chat.ts';
import { beginFilling, finishFilling } from './vendors/fill.ts';

type Endpoint =
  | { readonly for: 'anyone'; readonly run: (call: PublicCall) => EndpointReply }
  | UserEndpoint
  | { readonly for: Role; readonly runIn: (call: ProjectCall) => EndpointReply };

interface WebRoute {
  readonly method: string;
  /** The path as the table below writes it. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly endpoint: Endpoint;
}

function route(asked: string, endpoint: Endpoint): WebRoute {
  const [method = '', path = ''] = asked.split(' ');
  const pattern = path.replace(/<(\w+)>/g, (_, name: string) =>
    name === 'rest' ? '(?<rest>.+)' : `(?<${name}>[\\w-]{1,64})`,
  );
  return { method, path, pattern: new RegExp(`^${pattern}$`), endpoint };
}

const anyone = (run: (call: PublicCall) => EndpointReply): Endpoint => ({ for: 'anyone', run });
const by = (role: Role, run: (call: UserCall) => EndpointReply): Endpoint => ({ for: role, run });
const member = (run: (call: UserCall) => EndpointReply): Endpoint => ({ for: 'none', run });
const within = (role: Role, runIn: (call: ProjectCall) => EndpointReply): Endpoint => ({ for: role, runIn });

/** Endpoints. Tests go through this table too: none of them reveals anything of a project to somebody who may not see it. */
export const webRoutes: readonly WebRoute[] = [
  route('GET /web/state', anyone(showState)),
  route('GET /web/overview', anyone(showOverview)),
  route('GET /web/uptimes', member(showUptimes)),
  route('GET /web/find', member(findChecks)),
  route('POST /web/sign-in', anyone(signIn)),
  route('GET /web/oidc/start', anyone(startOidc)),
  route('GET /web/oidc/callback', anyone(finishOidc)),
  route('POST /web/link', anyone(showLink)),
  route('POST /web/forgotten-password', anyone(sendPasswordLink)),
  route('POST /web/set-password', anyone(setPassword)),
  route('POST /web/sign-out', member(signOut)),
  route('GET /web/schedule', member(previewSchedule)),
  route('POST /web/filled', member(finishFilling)),
  route('GET /web/push-key', member(showPushKey)),
  route('POST /web/push-moved', member(replaceSubscription)),
  route('GET /web/server-settings', by('owner', showServerSettings)),
  route('POST /web/server-settings', by('owner', changeServerSetting)),
  route('POST /web/server-settings/allow', by('owner', allowAddresses)),
  route('POST /web/server-settings/test-email', by('owner', sendTestMail)),
  route('POST /web/projects', owner.createProject),
  route('GET /web/account', member(account.showAccount)),
  route('POST /web/account', member(account.changeAccount)),
  route('DELETE /web/account/new-address', member(withdrawAddress)),
  route('POST /web/account/close', member(closeAccount)),
  route('POST /web/account/password', member(account.changePassword)),
  route('POST /web/account/sessions/others', member(account.endOtherSessions)),
  route('DELETE /web/account/sessions/<id>', member(account.endOneSession)),
  route('POST /web/account/totp/new', member(totp.newSecret)),
  route('POST /web/account/totp', member(totp.enable)),
  route('POST /web/account/totp/recovery', member(totp.newRecoveryCodes)),
  route('POST /web/account/totp/off', member(totp.disable)),
  route('POST /web/account/passkeys/new', member(passkeys.offerPasskey)),
  route('POST /web/account/passkeys', member(passkeys.addPasskey)),
  route('DELETE /web/account/passkeys/<id>', member(passkeys.removePasskey)),
  route('GET /web/reports', member(reports.showReports)),
  route('POST /web/reports', member(reports.changeReports)),
  route('GET /web/reports/preview', member(reports.previewReport)),
  route('POST /web/reports/send', member(reports.sendReport)),
  route('POST /web/reports/ask', member(reports.askAgain)),
  route('POST /web/sign-in/passkey/new', anyone(passkeys.offerSignIn)),
  route('POST /web/sign-in/passkey', anyone(passkeys.signInByPasskey)),
  route('GET /web/audit', by('owner', showAudit)),
  route('GET /web/audit.<form>', by('owner', exportAudit)),
  route('POST /web/users', by('owner', members.createUser)),
  route('POST /web/users/<id>', by('owner', members.changeUser)),
  route('DELETE /web/users/<id>', by('owner', members.deleteUser)),
  route('GET /web/in/<project>/list', within('viewer', showList)),
  route('GET /web/in/<project>/summary', within('viewer', showSummary)),
  route('GET /web/in/<project>/rows', within('viewer', listRows)),
  route('GET /web/in/<project>/checks/<id>/story', within('viewer', showStory)),
  route('GET /web/in/<project>/checks/<id>/ping', within('editor', showMarkUp)),
  route('POST /web/in/<project>/checks/<id>/ping', within('editor', pingByHand)),
  route('POST /web/in/<project>/checks/<id>/move', within('editor', moveToProject)),
  route('POST /web/in/<project>/checks/<id>/undo-pause', within('editor', undoPause)),
  route('POST /web/in/<project>/checks/<id>/undo-snooze', within('editor', undoSnooze)),
  route('GET /web/in/<project>/checks/<id>/statistics', within('viewer', showStatistics)),
  route('GET /web/in/<project>/checks/<id>/log', within('viewer', showLog)),
  route('GET /web/in/<project>/checks/<id>/neighbours', within('viewer', showNeighbours)),
  route('GET /web/in/<project>/incidents', within('viewer', showIncidents)),
  route('GET /web/in/<project>/incidents.csv', within('viewer', exportIncidents)),
  route('GET /web/in/<project>/incidents/<id>', within('viewer', showIncident)),
  route('GET /web/in/<project>/snoozed-incidents', within('viewer', showSnoozedIncidents)),
  route('GET /web/in/<project>/settings', within('viewer', showSettings)),
  route('POST /web/in/<project>/check-draft', within('editor', judgeDraft)),
  route('POST /web/in/<project>/crontab', within('editor', previewCrontab)),
  route('POST /web/in/<project>/members', within('owner', members.addMember)),
  route('POST /web/in/<project>/members/<id>', within('owner', members.changeMember)),
  route('POST /web/in/<project>/hand-over', within('owner', offerProject)),
  route('DELETE /web/in/<project>/hand-over', within('owner', withdrawOffer)),
  route('POST /web/in/<project>/hand-over/accept', within('viewer', acceptOffer)),
  route('POST /web/in/<project>/hand-over/decline', within('viewer', declineOffer)),
  route('POST /web/in/<project>/rename', owner.renameProject),
  route('POST /web/in/<project>/retention', owner.setRetention),
  route('POST /web/in/<project>/delete', owner.deleteProject),
  route('POST /web/in/<project>/keys', owner.createKey),
  route('POST /web/in/<project>/keys/<id>', owner.renameKey),
  route('DELETE /web/in/<project>/keys/<id>', owner.revokeKey),
  route('POST /web/in/<project>/connect', within('editor', beginConnection)),
  route('POST /web/in/<project>/connect/finish', within('editor', finishConnection)),
  route('POST /web/in/<project>/telegram', within('editor', beginTelegramChat)),
  route('POST /web/in/<project>/telegram/<code>', within('editor', findTelegramChat)),
  route('POST /web/in/<project>/matrix', within('editor', beginMatrixChat)),
  route('POST /web/in/<project>/matrix/<code>', within('editor', findMatrixChat)),
  route('POST /web/in/<project>/fill/<kind>', within('editor', beginFilling)),
  route('POST /web/in/<project>/channels', owner.createChannel),
  route('POST /web/in/<project>/channels/<id>', owner.editChannel),
  route('POST /web/in/<project>/channels/<id>/test', owner.testChannel),
  route('POST /web/in/<project>/channels/<id>/verify', owner.verifyChannel),
  route('POST /web/in/<project>/channels/<id>/confirm', owner.confirmChannel),
  route('DELETE /web/in/<project>/channels/<id>', owner.deleteChannel),
  route('GET /web/in/<project>/integrations', within('viewer', showIntegrations)),
  route('POST /web/in/<project>/channels/<id>/retry', within('editor', retryAll)),
  route('POST /web/in/<project>/channels/<id>/discard', within('editor', discardAll)),
  route('POST /web/in/<project>/channels/<id>/checks', within('editor', assignAll)),
  route('GET /web/in/<project>/maintenance', owner.listMaintenance),
  route('GET /web/in/<project>/maintenance/active', within('viewer', showActiveMaintenance)),
  route('POST /web/in/<project>/maintenance/preview', within('editor', previewMaintenance)),
  route('POST /web/in/<project>/maintenance', owner.createMaintenance),
  route('POST /web/in/<project>/maintenance/<id>', owner.editMaintenance),
  route('DELETE /web/in/<project>/maintenance/<id>', owner.deleteMaintenance),
  route('POST /web/in/<project>/maintenance/<id>/end', owner.endMaintenance),
  route('GET /web/in/<project>/status-pages', owner.listStatusPages),
  route('POST /web/in/<project>/status-pages', owner.createStatusPage),
  route('GET /web/in/<project>/status-pages/<id>', owner.showStatusPage),
  route('POST /web/in/<project>/status-pages/<id>', owner.editStatusPage),
  route('DELETE /web/in/<project>/status-pages/<id>', owner.deleteStatusPage),
  route('POST /web/in/<project>/status-pages/<id>/notices', owner.writeNotice),
  route('POST /web/in/<project>/status-pages/<id>/notices/<notice>', owner.writeNotice),
  route('DELETE /web/in/<project>/status-pages/<id>/notices/<notice>', owner.deleteNotice),
  route('GET /web/in/<project>/outbox', within('viewer', listOutbox)),
  route('GET /web/in/<project>/outbox/<id>', within('editor', showAttempt)),
  route('POST /web/in/<project>/outbox/<id>/retry', owner.retryDelivery),
  route('DELETE /web/in/<project>/outbox/<id>', owner.dropDelivery),
  ...['GET', 'POST', 'DELETE'].map((method) =>
    route(`${method} /web/in/<project>/api/<rest>`, within('viewer', throughApi)),
  ),
];

/** Addresses of the page itself, which decides in the browser what to show. */
const pagePath =
  /^\/(?:$|sign-in$|set-password$|audit$|account$|reports$|projects$|server$|wall$|wall\/|project\/|filled\/\w+$|(?:checks|incidents|integrations|status-pages|badges|settings)$)/;

export interface Web {
  readonly route: Route;
  readonly reads: readonly string[];
  readonly single: readonly string[];
  /** Whether a request, by its head, comes from somebody who is signed in. */
  readonly isSignedIn: (head: HttpRequest) => boolean;
}

/** Serves all paths that no other mount takes. `assets` is null if no page was built. */
export function createWeb(context: WebContext, assets: Assets | null): Web {
  return {
    reads: ['accept', 'accept-encoding', 'content-type', 'host', wallKeyHeader, ...authHeaders(context)],
    single: singleHeaders(context),
    isSignedIn: (head) => principalOf(context, head) !== null,
    route(request) {
      const { method, path } = request;
      if (path.startsWith('/web/')) return guarded(context, request);
      const byMail =
        answerMailLink(context, request) ??
        answerReportLink(context, request) ??
        answerAddressLink(context, request) ??
        answerAlertLink(context, request);
      if (byMail) return byMail;
      if (method !== 'GET' && method !== 'HEAD') return text(404, 'not found');
      const own = movedPath(path);
      if (own !== null) return redirect(context.basePath + own, request);
      const connected = connectedPath(request);
      if (connected !== null) return redirect(context.basePath + connected, { query: '' });
      const page = (): HttpReply => assets?.page(request, loneProject(context, request)) ?? notBuilt;
      const moved = path === context.basePath || isPage(path) ? oneAddress(context, request) : null;
      if (moved) return moved;
      if (isCheckAddress(path)) return redirectToCheck(context, request).then((reply) => reply ?? page());
      if (pagePath.test(path)) {
        beginList(context, request);
        return page();
      }
      if (path === '/docs') return manualMoved;
      const file = path.startsWith('/docs/') ? assets?.manual(path, request) : assets?.file(path, request);
      if (file) return file;
      if (path.startsWith('/docs/') && wantsPage(request) && !principalOf(context, request))
        return noManualPage(context.basePath);
      // Somebody who has mistyped an address gets the page, which has links to everything else.
      return wantsPage(request) && assets ? { ...page(), status: 404 } : text(404, 'not found');
    },
  };
}

/** The manual is for everybody, so nobody has to sign in to learn that it has no such page. */
function noManualPage(basePath: string): HttpReply {
  return plainPage(404, {
    title: 'Page not found',
    text: 'The manual has no page with this address. Its front page lists all of them, and has a search.',
    link: { text: 'Open the manual', url: `${basePath}/docs/` },
  });
}

/** Whether a browser opens an address; not a program, nor a browser that loads a part of the page. */
function wantsPage({ path, headers }: HttpRequest): boolean {
  return !path.startsWith('/assets/') && /\btext\/html\b/.test(headers.accept ?? '');
}

/** Returns the only project that the caller may see. Of several projects the browser remembers the shown one. */
function loneProject(context: WebContext, request: HttpRequest): string | null {
  if (request.path !== '/') return null;
  const user = principalOf(context, request)?.user;
  const [first, second] = user ? projectsSeenBy(context.engine.read, user) : [];
  return first && !second ? first.id : null;
}

/**
 * Begins to read the list that the page will request first, while the page is on its way: the first reading of 10,000 checks
 * takes 0.1 s.
 */
function beginList(context: WebContext, request: HttpRequest): void {
  const named = /^\/project\/([\w-]+)\/checks\/?$/.exec(request.path)?.[1];
  const id = asProjectId(named ?? loneProject(context, request) ?? '');
  const user = principalOf(context, request)?.user;
  if (!user || !context.engine.read.project(id) || roleInProject(user, id) === 'none') return;
  context.lists.begin(id, request.receivedAtMs);
}

/** The location is relative, so it is right behind a sub-path too. */
const manualMoved: HttpReply = { status: 301, headers: [['Location', 'docs/']], body: '' };

function isPage(path: string): boolean {
  return pagePath.test(path) || isCheckAddress(path);
}

/** Names that a machine has for itself. */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Redirects to the one address of the page, that of the base URL: a cookie belongs to a host, so somebody who signs in at
 * 127.0.0.1 is not signed in at localhost, which the printed links name. Returns null if the page was requested there, or under
 * a name that is not the machine's own.
 */
function oneAddress(
  { baseUrl, basePath }: WebContext,
  { path, query, headers }: HttpRequest,
): HttpReply | null {
  const base = new URL(baseUrl());
  const asked = URL.canParse(`http://${headers.host}`) ? new URL(`${base.protocol}//${headers.host}`) : base;
  const isAlias =
    asked.host !== base.host &&
    asked.port === base.port &&
    ownHost.test(asked.hostname) &&
    ownHost.test(base.hostname);
  const isBare = path !== '' && path === basePath;
  if (!isAlias && !isBare) return null;
  const to = isBare ? '/' : path;
  return redirect((isAlias ? baseUrl() : basePath) + to, { query });
}

function redirect(location: string, { query }: Pick<HttpRequest, 'query'>): HttpReply {
  return {
    status: 302,
    headers: [
      ['Location', location + (query === '' ? '' : `?${query}`)],
      ['Cache-Control', 'no-store'],
    ],
    body: '',
  };
}

const notBuilt = text(404, 'the web page is not built: npm run build');

async function guarded(context: WebContext, request: HttpRequest): Promise<HttpReply> {
  const reply = await answer(context, request).catch((error: unknown) => refusal(error));
  return { ...reply, headers: [...reply.headers, ['Cache-Control', 'no-store'], ...guardHeaders] };
}

async function answer(context: WebContext, request: HttpRequest): Promise<HttpReply> {
  const found = routeOf(request);
  if (found === null) return notFound;
  const { endpoint, path } = found;
  const changes = request.method !== 'GET';
  if (changes && !/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    return errorReply(415, 'changes must be sent as JSON');
  const principal = await authenticate(context, request);
  if (principal) noteUse(context, principal, request);
  const body = request.method === 'POST' ? requestJson(request) : noBody;
  const call: Omit<PublicCall, 'json'> = { context, request, principal, path, nowMs: request.receivedAtMs };
  if (endpoint.for === 'anyone') return body.ok ? endpoint.run({ ...call, json: body.json }) : body.reply;
  if (!principal) return errorReply(401, 'sign in first');
  if (changes && !context.tokens.isCsrf(principal.csrfBinding, request.headers[csrfHeader] ?? ''))
    return errorReply(403, 'the page is out of date: reload it');
  const { project, role } = scopeOf(context, principal, path.project);
  // This comes before any other answer, so that a project that the caller may not see looks like one that does not exist.
  if (path.project !== undefined && (project === null || role === 'none')) return notFound;
  if (!mayActAs(role, endpoint.for)) return forbidden;
  if (!body.ok) return body.reply;
  const change = context.engine.changeBy(originOf(principal.user, request));
  const known: UserCall = { ...call, principal, role, change, json: body.json };
  if ('run' in endpoint) return endpoint.run(known);
  return project && role !== 'none' ? endpoint.runIn({ ...known, project, role }) : notFound;
}

interface Scope {
  readonly project: Project | null;
  readonly role: MemberRole;
}

/**
 * Returns the project that the path names, and the caller's role there; without a project, the caller's role in the
 * installation.
 */
function scopeOf({ engine }: WebContext, { user }: Principal, id: string | undefined): Scope {
  if (id === undefined) return { project: null, role: user.role };
  const project = engine.read.project(asProjectId(id));
  return { project, role: project ? roleInProject(user, project.id) : 'none' };
}

const noBody = { ok: true, json: {} } as const;

function routeOf({ method, path }: HttpRequest) {
  for (const { method: wanted, pattern, endpoint } of webRoutes) {
    const match = method === wanted ? pattern.exec(path) : null;
    if (match) return { endpoint, path: { ...match.groups } };
  }
  return null;
}
