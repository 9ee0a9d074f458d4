/**
 * Every kind of integration: those of Healthchecks and Knell's own. A new kind is a file, its title (`contract/titles`), and its name
 * in the lists below. Eight kinds also have a sender with code of its own (`notify/channels/all`).
 * Invariant: the name of a kind never changes: it is stored, and programs send it.
 */

import { discord, discordConnection, discordRequests } from './chat/discord.ts';
import { googlechat, googlechatRequests } from './chat/googlechat.ts';
import { matrix, matrixRequests } from './chat/matrix.ts';
import { mattermost, mattermostRequests } from './chat/mattermost.ts';
import { msteamsw, msteamswRequests } from './chat/msteamsw.ts';
import { rocketchat, rocketchatRequests } from './chat/rocketchat.ts';
import { signal, signalRequests } from './chat/signal.ts';
import { slack, slackConnection } from './chat/slack.ts';
import { telegram } from './chat/telegram.ts';
import { zulip, zulipRequests } from './chat/zulip.ts';
import type { Connection } from './contract/connection.ts';
import type { Kind } from './contract/kind.ts';
import type { HttpKind } from './contract/request.ts';
import type { ChannelKind } from './contract/titles.ts';
import { apprise, appriseRequests } from './custom/apprise.ts';
import { events } from './custom/events.ts';
import { group } from './custom/group.ts';
import { mqtt, mqttRequests } from './custom/mqtt.ts';
import { shell } from './custom/shell.ts';
import { webhook } from './custom/webhook.ts';
import { alerta, alertaRequests } from './incidents/alerta.ts';
import { alertmanager, alertmanagerRequests } from './incidents/alertmanager.ts';
import { github } from './incidents/github.ts';
import { opsgenie, opsgenieRequests } from './incidents/opsgenie.ts';
import { pagertree, pagertreeRequests } from './incidents/pagertree.ts';
import { pd } from './incidents/pd.ts';
import { signl4, signl4Requests } from './incidents/signl4.ts';
import { spike, spikeRequests } from './incidents/spike.ts';
import { trello, trelloRequests } from './incidents/trello.ts';
import { victorops, victoropsRequests } from './incidents/victorops.ts';
import { call, callRequests } from './phone/call.ts';
import { email } from './phone/email.ts';
import { sms, smsRequests } from './phone/sms.ts';
import { whatsapp, whatsappRequests } from './phone/whatsapp.ts';
import { gotify, gotifyRequests } from './push/gotify.ts';
import { ntfy, ntfyRequests } from './push/ntfy.ts';
import { po, poRequests } from './push/po.ts';
import { pushbullet, pushbulletRequests } from './push/pushbullet.ts';
import { pushsafer, pushsaferRequests } from './push/pushsafer.ts';
import { webpush, webpushRequests } from './push/webpush.ts';

export const kinds: Readonly<Record<ChannelKind, Kind>> = {
  alerta,
  alertmanager,
  apprise,
  call,
  discord,
  email,
  events,
  github,
  googlechat,
  gotify,
  group,
  matrix,
  mattermost,
  mqtt,
  msteamsw,
  ntfy,
  opsgenie,
  pagertree,
  pd,
  po,
  pushbullet,
  pushsafer,
  rocketchat,
  shell,
  signal,
  signl4,
  slack,
  sms,
  spike,
  telegram,
  trello,
  victorops,
  webhook,
  webpush,
  whatsapp,
  zulip,
};

export { type ChannelKind, channelKinds } from './contract/titles.ts';

/** The kinds that are also added on the vendor's own page. */
export const connections = { discord: discordConnection, slack: slackConnection } as const satisfies Readonly<
  Partial<Record<ChannelKind, Connection>>
>;
export type ConnectedKind = keyof typeof connections;
export const connectedKinds: readonly ConnectedKind[] = Object.keys(connections) as ConnectedKind[];

/** The kinds that are only requests. They are apart from `kinds`, so that the page does not load the requests. */
export const httpKinds = {
  alerta: alertaRequests,
  alertmanager: alertmanagerRequests,
  apprise: appriseRequests,
  call: callRequests,
  discord: discordRequests,
  googlechat: googlechatRequests,
  gotify: gotifyRequests,
  matrix: matrixRequests,
  mattermost: mattermostRequests,
  mqtt: mqttRequests,
  msteamsw: msteamswRequests,
  ntfy: ntfyRequests,
  opsgenie: opsgenieRequests,
  pagertree: pagertreeRequests,
  po: poRequests,
  pushbullet: pushbulletRequests,
  pushsafer: pushsaferRequests,
  rocketchat: rocketchatRequests,
  signal: signalRequests,
  signl4: signl4Requests,
  sms: smsRequests,
  spike: spikeRequests,
  trello: trelloRequests,
  victorops: victoropsRequests,
  webpush: webpushRequests,
  whatsapp: whatsappRequests,
  zulip: zulipRequests,
} as const satisfies Readonly<Partial<Record<ChannelKind, HttpKind>>>;
