/** The settings of the server, for owners: what each is and where it comes from; and setting those that may change at run time. */
import { isMailAddress, mailAddressOf } from '../../../domain/accounts/user.ts';
import type { ServerSettingsView } from '../../../domain/views/page-view.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { textIn, type UserCall } from '../calls/call.ts';

export function showServerSettings({ context }: UserCall): HttpReply {
  const view: ServerSettingsView = {
    settings: context.serverSettings.views(),
    sendsMail: context.commands.accounts.canSend,
  };
  return jsonReply(view);
}

/** `to`: an address; the one of the owner's account if absent. */
export async function sendTestMail({ context, principal, json, nowMs }: UserCall): Promise<HttpReply> {
  const { user } = principal;
  const to = json.to === undefined ? mailAddressOf(user) : textIn(json, 'to');
  if (to === null || !isMailAddress(to)) return errorReply(400, 'to: give an email address');
  const error = await context.commands.accounts.sendTest(to, user.name, nowMs);
  return error === null ? jsonReply({ to }) : errorReply(409, error);
}

/** `value`: null for the default again. */
export async function changeServerSetting({ context, change, json }: UserCall): Promise<HttpReply> {
  const variable = textIn(json, 'variable');
  const value = json.value === null ? null : textIn(json, 'value');
  if (value === '') return errorReply(400, `${variable}: a value is missing`);
  context.serverSettings.mustBeSettable(variable, value);
  await change.setServerSetting(variable, value);
  return jsonReply({});
}
