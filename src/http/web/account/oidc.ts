/**
 * Signs users in by OpenID Connect: sends them to the provider, and finds the member who comes back. `calls/oidc-provider` has
 * the exchange over the network.
 * Invariants: the user who comes back is the one who was sent there, in the same browser, within minutes. A member is
 * identified by issuer and subject; by a mail address only once, and only if the provider has verified it. Anything that others
 * may have set up in the account before that becomes void.
 */
import type { OidcIdentity, User } from '../../../domain/accounts/user.ts';
import { KnellError, messageOf } from '../../../lib/errors.ts';
import { asUserId, newUuid } from '../../../lib/ids.ts';
import { oidcFlowMsMax } from '../../limits.ts';
import { notFound } from '../../wire/json-reply.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import type { PublicCall, WebContext } from '../calls/call.ts';
import { type Oidc, OidcError, type OidcFailure, type OidcFlow } from '../calls/oidc-provider.ts';
import { cookieOf, originOf } from '../calls/principal.ts';
import { beginSession, throttled } from './credentials.ts';

const flowCookie = 'knell_oidc';

const redirectUri = ({ baseUrl }: WebContext): string => `${baseUrl()}/web/oidc/callback`;

export async function startOidc(call: PublicCall): Promise<HttpReply> {
  const { context, nowMs } = call;
  const { oidc } = context;
  if (!oidc) return notFound;
  try {
    const { url, flow } = await oidc.provider.begin(redirectUri(context));
    const kept = context.tokens.sealed('oidc', JSON.stringify({ ...flow, untilMs: nowMs + oidcFlowMsMax }));
    return redirect(url, [keptCookie(call, kept)]);
  } catch (error) {
    return failed(call, oidc, error);
  }
}

export async function finishOidc(call: PublicCall): Promise<HttpReply> {
  const { context, request } = call;
  const { oidc } = context;
  if (!oidc) return notFound;
  try {
    if (throttled(call, '')) throw new OidcError('busy', 'too many attempts');
    const flow = flowOf(call);
    const address = new URL(`${redirectUri(context)}?${request.query}`);
    if (!flow || address.searchParams.get('state') !== flow.state)
      throw new OidcError('state', 'the answer belongs to no sign-in that was begun in this browser');
    const { subject, email, isVerified } = await oidc.provider.finish(address, flow);
    if (email === '' || !isVerified)
      throw new OidcError('unverified', 'the provider has not verified the mail address');
    const user = await memberOf(call, oidc, { issuer: oidc.provider.issuer, subject }, email);
    context.signIns.succeeded(user, request, 'with OpenID Connect');
    const { headers } = beginSession(call, user);
    return redirect(`${context.basePath}/sign-in`, [
      ...headers.filter(([name]) => name === 'Set-Cookie'),
      keptCookie(call, ''),
    ]);
  } catch (error) {
    return failed(call, oidc, error);
  }
}

/** Returns the member with that identity; else the one with that name, who gets the identity; else a new one. */
async function memberOf(
  { context, request, nowMs }: PublicCall,
  { role }: Oidc,
  identity: OidcIdentity,
  email: string,
): Promise<User> {
  const users = context.engine.read.users();
  const isSame = ({ oidc }: User): boolean =>
    oidc?.issuer === identity.issuer && oidc.subject === identity.subject;
  const known = users.find(isSame);
  if (known) return known;
  const named = users.find(({ name }) => name.toLowerCase() === email.toLowerCase());
  if (named?.oidc?.issuer === identity.issuer)
    throw new OidcError('other', 'the member with this mail address is another account of the provider');
  const { engine } = context;
  if (named)
    return engine
      .changeBy(originOf(named, request))
      .updateUser(named.id, (now) => ({ ...takenOver(now, nowMs), oidc: identity }));
  if (role === 'off') throw new OidcError('unknown', 'no member has this mail address');
  const user: User = {
    id: asUserId(newUuid()),
    name: email,
    role,
    passwordHash: '',
    createdAtMs: nowMs,
    oidc: identity,
  };
  await engine.changeBy(originOf(user, request)).putUser(user);
  return user;
}

/**
 * Voids what was set up before the member came: the person who invited this member may have used the link. Owners were created
 * by somebody who is trusted with everything, and keep a way to sign in while the provider is not available.
 */
function takenOver(user: User, nowMs: number): User {
  if (user.role === 'owner') return user;
  return {
    ...user,
    passwordHash: '',
    totp: undefined,
    passkeys: undefined,
    reports: undefined,
    sessionsFromMs: nowMs,
  };
}

function flowOf({ context, request, nowMs }: PublicCall): OidcFlow | null {
  const text = context.tokens.unsealed('oidc', cookieOf(request, flowCookie));
  if (text === null) return null;
  const { untilMs, ...flow } = JSON.parse(text) as OidcFlow & { readonly untilMs: number };
  return untilMs > nowMs ? flow : null;
}

/** The page shows it in words; the log has the details. */
function failed(call: PublicCall, { logger }: Oidc, error: unknown): HttpReply {
  if (!(error instanceof OidcError || error instanceof KnellError)) throw error;
  const failure: OidcFailure = error instanceof OidcError ? error.failure : 'busy';
  logger.warn({ reason: failure, error: messageOf(error) }, 'a sign-in by OpenID Connect failed');
  call.context.signIns.failed(undefined, call.request, `OpenID Connect: ${messageOf(error)}`);
  return redirect(`${call.context.basePath}/sign-in?failed=${failure}`, [keptCookie(call, '')]);
}

type Header = readonly [string, string];

function redirect(location: string, headers: readonly Header[]): HttpReply {
  return { status: 302, headers: [['Location', location], ...headers], body: '' };
}

/** The cookie is Lax: browsers send it when the provider redirects here, and with no other request of another site. */
function keptCookie(
  { context, request }: { context: WebContext; request: HttpRequest },
  kept: string,
): Header {
  const age = kept === '' ? 0 : Math.floor(oidcFlowMsMax / 1000);
  const secure = request.scheme === 'https' ? '; Secure' : '';
  const path = `Path=${context.basePath}/web/oidc; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
  return ['Set-Cookie', `${flowCookie}=${kept}; ${path}`];
}
