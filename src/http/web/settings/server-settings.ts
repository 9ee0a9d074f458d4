/** Shows owners the settings of the server, each with its source, and sets those that may change at run time. */
import { isIP } from 'node:net';
import { InvalidField } from '../../../commands/contract/command.ts';
import { getsAlerts, settingsOf } from '../../../domain/accounts/project.ts';
import { isMailAddress, mailAddressOf } from '../../../domain/accounts/user.ts';
import type { ServerSettingsView, ServerSettingView } from '../../../domain/views/page-view.ts';
import { allowedAddressesMax } from '../../limits.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { textIn, type UserCall, type WebContext } from '../calls/call.ts';
import { allowList, allowVariable } from '../calls/may-allow.ts';

export async function showServerSettings({ context }: UserCall): Promise<HttpReply> {
  const view: ServerSettingsView = {
    settings: context.serverSettings.views(),
    mail: context.serverSettings.mailServer(),
    sendsMail: context.commands.accounts.canSend,
    snapshots: await context.snapshots(),
    zones: zonesOf(context),
    cluster: context.cluster(),
  };
  return jsonReply(view);
}

/** The channels of a project are in memory: there are as many as somebody has typed. */
function zonesOf({ engine: { read } }: WebContext): ServerSettingsView['zones'] {
  const channels = read.projects().flatMap(({ id }) => read.channels(id).filter(getsAlerts));
  return {
    integrations: channels.length,
    own: channels.filter((channel) => settingsOf(channel).timeZone !== '').length,
  };
}

/** `to` is an address; if absent, it is the one of the owner's account. */
export async function sendTestMail({ context, principal, json, nowMs }: UserCall): Promise<HttpReply> {
  const { user } = principal;
  const to = json.to === undefined ? mailAddressOf(user) : textIn(json, 'to');
  if (json.to === undefined && to === null)
    throw new InvalidField('to', 'your account has no email address: enter one to send to');
  if (to === null || !isMailAddress(to)) throw new InvalidField('to', 'give an email address');
  const error = await context.commands.accounts.sendTest(to, user.name, nowMs);
  return error === null ? jsonReply({ to }) : errorReply(409, error);
}

/** Allows private addresses in addition to those already allowed. */
export async function allowAddresses(call: UserCall): Promise<HttpReply> {
  const { context, json } = call;
  const asked = Array.isArray(json.addresses) ? json.addresses.map(String) : [];
  if (asked.length === 0 || asked.length > allowedAddressesMax || asked.some((one) => isIP(one) === 0))
    return errorReply(400, `addresses: give 1 to ${allowedAddressesMax} addresses`);
  const known = (allowList(context).value ?? '').split(',').map((one) => one.trim());
  const value = [...new Set([...known, ...asked])].filter((one) => one !== '').join(',');
  await setTo(call, allowVariable, value);
  return jsonReply({});
}

function viewOf({ serverSettings }: WebContext, wanted: string): ServerSettingView | undefined {
  return serverSettings.views().find(({ variable }) => variable === wanted);
}

/** `value` is null for the default. With `keepsPassword` it is an address of the mail server, which is used with the password that is set. */
export async function changeServerSetting(call: UserCall): Promise<HttpReply> {
  const { json } = call;
  const variable = textIn(json, 'variable');
  const value = json.value === null ? null : textIn(json, 'value');
  if (value === '') return errorReply(400, `${variable}: a value is missing`);
  if (value === null || json.keepsPassword !== true) await setTo(call, variable, value);
  else {
    // What is wrong with the address is said of it as it was given.
    call.context.serverSettings.mustBeSettable(variable, value);
    const whole = variable === mailVariable ? call.context.serverSettings.mailUrlWithPassword(value) : null;
    if (whole === null) return errorReply(400, 'enter the password: another user or host needs it again');
    await setTo(call, variable, whole);
  }
  return jsonReply({});
}

const mailVariable = 'KNELL_MAIL_URL';

async function setTo({ context, change }: UserCall, variable: string, value: string | null): Promise<void> {
  context.serverSettings.mustBeSettable(variable, value);
  const view = viewOf(context, variable);
  const openDefault = view?.isSecret === false ? view.fallback : null;
  await change.setServerSetting({ variable, value, openDefault });
}
