/**
 * The user's own account: name, preferences, password, sessions. `totp` has the codes of the sign-in, `new-address` the
 * confirmation of another address, `close-account` the end of an account.
 * Invariant: a new password, and any change to what protects the sign-in, needs the current password, under the limits of
 * signing in.
 */

import { choiceIn } from '../../../commands/contract/command.ts';
import {
  defaultPreferences,
  type PreferenceField,
  type PreferenceName,
  type Preferences,
  preferenceFields,
  preferenceNames,
} from '../../../domain/accounts/preferences.ts';
import { mailAddressOf, type User, waitingAddress } from '../../../domain/accounts/user.ts';
import { passwordCharsMin } from '../../../domain/limits.ts';
import type { AccountView, SavedAccountView } from '../../../domain/views/account-view.ts';
import { KnellError } from '../../../lib/errors.ts';
import { canonicalTimeZone } from '../../../schedule/time-zones.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { textIn, type UserCall } from '../calls/call.ts';
import { sessionTopic } from '../live/live.ts';
import { closingOf } from './close-account.ts';
import { beginSession, busy, passwordIn, unlessChanged, wrongOwner, wrongPassword } from './credentials.ts';
import { askForAddress, hasOther, isConfirmedFirst, nameTaken } from './new-address.ts';

export function showAccount({ context, principal: { user, session }, nowMs }: UserCall): HttpReply {
  const view: AccountView = {
    name: user.name,
    mailAddress: mailAddressOf(user),
    preferences: user.preferences ?? defaultPreferences,
    newAddress: waitingAddress(user, nowMs),
    closing: closingOf(context.engine.read, user, session !== null),
    hasPassword: user.passwordHash !== '' && session !== null,
    recoveryCodesLeft: user.totp?.recovery.length ?? null,
    passkeys: (user.passkeys ?? []).map(({ id, name, createdAtMs, usedAtMs }) => {
      return { id, name, createdAtMs, usedAtMs };
    }),
    sessions: (user.sessions ?? [])
      .filter(({ untilMs }) => untilMs > nowMs)
      .map(({ id, startedAtMs, usedAtMs, address, userAgent }) => {
        return { id, startedAtMs, usedAtMs, address, userAgent, isOwn: id === session?.id };
      }),
  };
  return jsonReply(view);
}

/**
 * Changes only what the body names. A name that is an email address waits until somebody who reads its mail has confirmed it, where
 * the server sends mail.
 */
export async function changeAccount(call: UserCall): Promise<HttpReply> {
  const { context, change, json, principal } = call;
  const name = json.name === undefined ? null : textIn(json, 'name');
  if (name !== null && name !== principal.user.name && principal.session === null)
    throw new KnellError('conflict', 'your name comes from the proxy that signs you in');
  const { user: before } = principal;
  const isOther = name !== null && name !== before.name;
  if (isOther && isConfirmedFirst(call, name)) return askForAddress(call, name, withPreferences(call));
  if (isOther) {
    const refused = await wrongOwner(call, { ...before, name });
    if (refused) return refused;
    if (hasOther(context, before, name)) return nameTaken(name);
  }
  const user = await change.updateUser(before.id, (now) => ({
    ...withPreferences(call)(now),
    name: name ?? now.name,
    ...(isOther ? { newAddress: undefined } : {}),
  }));
  if (mailAddressOf(before) !== mailAddressOf(user))
    context.commands.accounts.noteAddressChanged(before, user.name);
  return jsonReply({ asked: null } satisfies SavedAccountView);
}

function withPreferences({ json }: UserCall): (user: User) => User {
  return (user) => ({ ...user, preferences: preferencesIn(json, user.preferences ?? defaultPreferences) });
}

function preferencesIn(json: UserCall['json'], before: Preferences): Preferences {
  const given = preferenceNames.filter((name) => json[name] !== undefined);
  return { ...before, ...Object.fromEntries(given.map((name) => [name, preferenceIn(json, name)])) };
}

function preferenceIn(json: UserCall['json'], name: PreferenceName): string {
  const field: PreferenceField = preferenceFields[name];
  if (field.kind === 'choice')
    return choiceIn(
      json,
      name,
      field.choices.map(([value]) => value),
    );
  const asked = textIn(json, name);
  const timeZone = asked === '' ? '' : canonicalTimeZone(asked);
  if (timeZone === null) throw new KnellError('usage', `${asked} is no time zone such as Europe/Riga`);
  return timeZone;
}

/** Changes the password and ends all other sessions; this one continues under a new cookie. */
export async function changePassword(call: UserCall): Promise<HttpReply> {
  const { context, change, principal } = call;
  const refused = await wrongPassword(call, 'present');
  if (refused) return refused;
  const password = passwordIn(call);
  if (password.length < passwordCharsMin)
    return jsonReply(
      { error: `a password has at least ${passwordCharsMin} characters`, field: 'password' },
      400,
    );
  const passwordHash = await context.passwords.hash(password);
  if (passwordHash === null) return busy;
  const user = await change.updateUser(principal.user.id, (now) =>
    unlessChanged(now, principal.user, { passwordHash }),
  );
  return beginSession(call, user);
}

/** Ends all other sessions, including those that are not listed. This one continues under a new cookie. */
export async function endOtherSessions(call: UserCall): Promise<HttpReply> {
  const { change, principal, nowMs } = call;
  if (principal.session === null) return noSessions;
  const user = await change.updateUser(principal.user.id, (now) => ({ ...now, sessionsFromMs: nowMs }));
  return beginSession(call, user);
}

const noSessions = errorReply(409, 'a proxy signs you in: there are no sessions here');

export async function endOneSession({
  context,
  change,
  principal,
  path,
  nowMs,
}: UserCall): Promise<HttpReply> {
  const { user } = principal;
  const session = user.sessions?.find(({ id }) => id === path.id);
  if (!session) throw new KnellError('not-found', 'this session is over already');
  const { id, untilMs } = session;
  await change.endSession({ userId: user.id, id, untilMs, endedAtMs: nowMs });
  context.dismiss(sessionTopic(user.id, id));
  return jsonReply({});
}
