/**
 * The second step of signing in: a code of an authenticator app, or a recovery code. `domain/accounts/totp` defines what a code
 * is.
 * Invariants: a code is used up on disk before it signs anybody in. Recovery codes are shown once and kept as hashes.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { base32Of, bytesOfBase32, type Hmac, otpauthUri, stepOf } from '../../../domain/accounts/totp.ts';
import type { Totp, User } from '../../../domain/accounts/user.ts';
import type { RecoveryCodesView, SignInView, TotpView } from '../../../domain/views/account-view.ts';
import { KnellError } from '../../../lib/errors.ts';
import { sha256Hex } from '../../../lib/ids.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type PublicCall, textIn, type UserCall } from '../calls/call.ts';
import { originOf } from '../calls/principal.ts';
import { unlessChanged, wrongPassword } from './credentials.ts';

/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20;
const recoveryCodes = 10;
/** 50 bits each, which nobody can guess under the limits of signing in. */
const recoveryCodeBytes = 7;

const hmac: Hmac = (key, message) => createHmac('sha1', key).update(message).digest();

/** How somebody has signed in, for the audit log. */
type SignInWay = 'with a password' | 'with a password and a code' | 'with a password and a recovery code';

/** Returns the reply if a code is missing or wrong. A right one is then used up. */
export async function secondFactor(call: PublicCall, user: User): Promise<HttpReply | SignInWay> {
  const { context, request, json, nowMs } = call;
  if (!user.totp) return 'with a password';
  const code = codeIn(json);
  if (code === '') return jsonReply({ code: true } satisfies SignInView);
  const waitSeconds = context.codeTries.take(user.id, nowMs);
  if (waitSeconds > 0)
    return errorReply(429, `too many attempts, try again in ${waitSeconds} s`, [
      ['Retry-After', String(waitSeconds)],
    ]);
  try {
    const change = context.engine.changeBy(originOf(user, request));
    let isRecovery = false;
    await change.updateUser(user.id, (now) => {
      const totp = afterUse(now.totp, code, nowMs);
      if (!totp) throw wrongCode;
      isRecovery = totp.recovery.length !== now.totp?.recovery.length;
      return unlessChanged(now, user, { totp });
    });
    return isRecovery ? 'with a password and a recovery code' : 'with a password and a code';
  } catch (error) {
    if (error !== wrongCode) throw error;
    context.signIns.failed(user, request, 'wrong code');
    return errorReply(401, 'the code is wrong, or was used already');
  }
}

const wrongCode = new KnellError('conflict', 'the code is wrong, or was used already');

function codeIn(json: PublicCall['json']): string {
  return textIn(json, 'code').replace(/[\s-]/g, '').toUpperCase();
}

/** Returns the codes without this one; null if it is wrong or was used. */
function afterUse(totp: Totp | undefined, code: string, nowMs: number): Totp | null {
  const secret = totp && bytesOfBase32(totp.secret);
  if (!totp || !secret) return null;
  const step = stepOf(hmac, { secret, lastStep: totp.lastStep }, code, nowMs);
  if (step !== null) return { ...totp, lastStep: step };
  const hash = sha256Hex(code);
  if (!totp.recovery.includes(hash)) return null;
  return { ...totp, recovery: totp.recovery.filter((one) => one !== hash) };
}

/** Creates a secret. It is not kept until a code shows that an app has it. */
export function newSecret({ principal }: UserCall): HttpReply {
  const secret = base32Of(randomBytes(secretBytes));
  return jsonReply({ secret, uri: otpauthUri(principal.user.name, secret) } satisfies TotpView);
}

/** Needs the password, and a code that the app makes of the secret. Answers with the recovery codes, only this once. */
export async function enable(call: UserCall): Promise<HttpReply> {
  const { change, principal, json, nowMs } = call;
  const text = textIn(json, 'secret');
  const secret = bytesOfBase32(text);
  if (secret?.length !== secretBytes) return errorReply(400, 'reload the page and begin again');
  const refused = await wrongPassword(call);
  if (refused) return refused;
  const lastStep = stepOf(hmac, { secret, lastStep: 0 }, codeIn(json), nowMs);
  if (lastStep === null)
    return jsonReply(
      {
        error: "the code is wrong: is your phone's clock right? Enter the one that it shows now",
        field: 'code',
      },
      400,
    );
  const { codes, recovery } = newCodes();
  const totp: Totp = { secret: text, lastStep, recovery };
  await change.updateUser(principal.user.id, (now) => unlessChanged(now, principal.user, { totp }));
  return jsonReply({ codes } satisfies RecoveryCodesView);
}

/** Replaces the recovery codes; earlier ones become invalid. */
export async function newRecoveryCodes(call: UserCall): Promise<HttpReply> {
  const refused = await wrongPassword(call);
  if (refused) return refused;
  const { codes, recovery } = newCodes();
  const { user } = call.principal;
  await call.change.updateUser(user.id, (now) => {
    if (!now.totp) throw new KnellError('conflict', 'two-factor sign-in is off');
    return unlessChanged(now, user, { totp: { ...now.totp, recovery } });
  });
  return jsonReply({ codes } satisfies RecoveryCodesView);
}

export async function disable(call: UserCall): Promise<HttpReply> {
  const refused = await wrongPassword(call);
  if (refused) return refused;
  const { user } = call.principal;
  await call.change.updateUser(user.id, (now) => unlessChanged(now, user, { totp: undefined }));
  return jsonReply({});
}

/** Creates codes such as `ABCDE-FGHIJ`, with the hashes of their letters. */
function newCodes(): { readonly codes: readonly string[]; readonly recovery: readonly string[] } {
  const letters = Array.from({ length: recoveryCodes }, () =>
    base32Of(randomBytes(recoveryCodeBytes)).slice(0, 10),
  );
  return {
    codes: letters.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`),
    recovery: letters.map(sha256Hex),
  };
}
