/** The settings of the server, for owners: what each is and where it comes from; and setting those that may change at run time. */
import type { ServerSettingsView } from '../../../domain/views/page-view.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { textIn, type UserCall } from '../calls/call.ts';

export function showServerSettings({ context }: UserCall): HttpReply {
  const view: ServerSettingsView = { settings: context.serverSettings.views() };
  return jsonReply(view);
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
