/**
 * The link by which a member confirms another email address. A signature takes the place of a session, as the mail may be read in
 * another browser. `account/new-address` asks for it.
 * Invariant: only POST changes anything, since mail scanners follow every link; a link works once.
 */
import { actorOf } from '../../../domain/accounts/audit.ts';
import type { User } from '../../../domain/accounts/user.ts';
import { capital } from '../../../domain/words/capital.ts';
import { KnellError } from '../../../lib/errors.ts';
import { asUserId } from '../../../lib/ids.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import { plainPage } from '../../wire/plain-page.ts';
import { text } from '../../wire/replies.ts';
import type { WebContext } from '../calls/call.ts';
import { brokenPage, outdatedPage, partsOf, storeFullPage, tooManyPage, unfitPage } from './mail-links.ts';

type LinkContext = Pick<WebContext, 'engine' | 'tokens' | 'mailLinkRequests' | 'commands' | 'baseUrl'>;

const path = /^\/confirm-address\/(.*)$/;

/** Returns null if the address is not a link that confirms one. Only POST changes anything: mail scanners follow every link. */
export function answerAddressLink(
  context: LinkContext,
  request: HttpRequest,
): HttpReply | Promise<HttpReply> | null {
  const [, signed] = path.exec(request.path) ?? [];
  if (signed === undefined) return null;
  const waitSeconds = context.mailLinkRequests.take(request.clientAddr, request.receivedAtMs);
  if (waitSeconds > 0) return tooManyPage(waitSeconds);
  const parts = partsOf(signed);
  if (parts === null) return brokenPage('mail');
  const { id, signature } = parts;
  const user = context.engine.read.users().find((one) => one.id === asUserId(id));
  if (!user || !context.tokens.isAddressLink(user, signature, request.receivedAtMs)) return unfit;
  const address = user.newAddress?.address ?? '';
  if (request.method === 'POST') return confirm(context, request, { user, address, signature });
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return text(405, 'method not allowed', [['Allow', 'GET, HEAD, POST']]);
  return plainPage(200, {
    title: 'Confirm your new address',
    text: `The account ${user.name} will be called ${address}: the name to sign in with, and where mails about the account go.`,
    button: 'Confirm',
  });
}

interface Confirmed {
  readonly user: User;
  readonly address: string;
  readonly signature: string;
}

async function confirm(
  { engine, tokens, commands, baseUrl }: LinkContext,
  { clientAddr, receivedAtMs: nowMs }: HttpRequest,
  { user, address, signature }: Confirmed,
): Promise<HttpReply> {
  const actor = actorOf('recipient', address, '', clientAddr);
  let before = user;
  try {
    await engine.changeBy({ actor, atMs: nowMs }).updateUser(user.id, (now) => {
      if (!tokens.isAddressLink(now, signature, nowMs)) throw new KnellError('not-found', 'used already');
      before = now;
      return { ...now, name: address, newAddress: undefined };
    });
  } catch (error) {
    if (!(error instanceof KnellError)) throw error;
    if (error.code === 'conflict') return taken(address);
    return error.code === 'store-full' ? storeFullPage : outdated;
  }
  commands.accounts.noteAddressChanged(before, address);
  return plainPage(200, {
    title: 'Your address was changed',
    text: `You are ${address} now, and sign in with that. Where you are signed in, you stay so.`,
    link: { text: 'Open Knell', url: baseUrl() },
  });
}

const why =
  'it was used already, or has expired, or was withdrawn on the account page. Ask there for another one.';
const unfit = unfitPage('mail', why);
const outdated = outdatedPage(capital(why));

function taken(address: string): HttpReply {
  return plainPage(409, {
    title: 'Nothing was changed',
    text: `There is another account with the address ${address}, created in the meantime.`,
  });
}
