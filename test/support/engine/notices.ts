/** Notices for the senders' tests: one of everything that can be said, with a name that tries to break out. */

import { checkPath } from '../../../src/domain/accounts/page-address.ts';
import type { ChannelKind } from '../../../src/domain/accounts/project.ts';
import { defaultConfig, freshState } from '../../../src/domain/check/check.ts';
import type { NotificationKind } from '../../../src/domain/deliveries/delivery.ts';
import { httpKinds } from '../../../src/integrations/all.ts';
import type { HttpKind } from '../../../src/integrations/contract/request.ts';
import {
  asBadgeId,
  asChannelId,
  asCheckId,
  asDeliveryId,
  asProjectId,
  uniqueKeyOf,
} from '../../../src/lib/ids.ts';
import { hour } from '../../../src/lib/units.ts';
import type { Notice } from '../../../src/notify/contract/channel.ts';
import type { NotifySettings } from '../../../src/notify/contract/settings.ts';
import { PushBrowser } from '../wire/push-browser.ts';

const atMs = Date.UTC(2024, 5, 15, 12, 30, 5, 250);

/** What Slack's own page gives: a bot that may write, and its webhook. */
export const slackBotValue = JSON.stringify({
  ...{ access_token: 'xoxb-secret', scope: 'incoming-webhook,chat:write', team: { id: 'T1', name: 'Acme' } },
  incoming_webhook: { url: 'https://hooks.slack.com/services/T/B/secret', channel: '#ops', channel_id: 'C1' },
});

/** What a vendor answers to what it takes: for most of them anything. */
export function bodyOfSuccess(kind: ChannelKind): string {
  const http: HttpKind | undefined =
    kind in httpKinds ? httpKinds[kind as keyof typeof httpKinds] : undefined;
  const accepted = http?.response?.accepted;
  return accepted ? JSON.stringify({ [accepted.path]: accepted.value }) : '[]';
}

/** Valid values, as Healthchecks keeps them. */
export const channelValues: Readonly<Record<ChannelKind, string>> = {
  alerta: '{"url":"https://alerta.example.org/api/","key":"secret","environment":"Production"}',
  alertmanager: 'https://alerts.example.org/',
  apprise: 'gotify://host.example.org/token',
  call: '{"value":"+15555550100"}',
  discord: '{"webhook":{"url":"https://discord.com/api/webhooks/1/secret"}}',
  email: '{"value":"ops@example.org","up":true,"down":true}',
  events: '{"url":"https://events.example.org/"}',
  github: '{"installation_id":1,"repo":"acme/jobs","labels":"ops, cron"}',
  googlechat: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t',
  gotify: '{"url":"https://gotify.example.org/","token":"secret"}',
  group: '00000000-0000-4000-8000-000000000001',
  matrix: '!room:example.org',
  mattermost: 'https://mattermost.example.org/hooks/secret',
  mqtt: '{"url":"mqtts://broker.example.org","topic":"knell/home","user":"knell","password":"secret","retain":true}',
  msteamsw: 'https://prod-1.westeurope.logic.azure.com/workflows/secret',
  ntfy: '{"topic":"alerts","url":"https://ntfy.sh","priority":5,"priority_up":3,"token":"tk_secret"}',
  opsgenie: '{"key":"secret","region":"eu"}',
  pagertree: 'https://api.pagertree.com/integration/int_secret',
  pd: '{"service_key":"0123456789abcdef0123456789abcdef","account":"acme"}',
  po: 'userkey|2|0',
  pushbullet: 'o.secret',
  pushsafer: '{"key":"secretKey123","device":"gs23","down":"2","up":"0"}',
  rocketchat: 'https://chat.example.org/hooks/secret',
  shell: '{"cmd_down":"echo down","cmd_up":"echo up"}',
  signal: '{"value":"+15555550100","up":true,"down":true}',
  signl4: 'https://connect.signl4.com/webhook/secret',
  slack: '{"incoming_webhook":{"url":"https://hooks.slack.com/services/T/B/secret","channel":"#ops"}}',
  sms: '{"value":"+15555550100","up":true,"down":true}',
  spike: 'https://api.spike.sh/v1/alerts/secret',
  telegram: '{"id":-100123,"type":"supergroup","name":"ops","thread_id":7}',
  trello: '{"token":"secret","board_name":"Ops","list_name":"Now","list_id":"list1"}',
  victorops: 'https://alert.victorops.com/integrations/generic/1/alert/secret/ops',
  webhook: JSON.stringify({
    method_down: 'POST',
    url_down: 'https://example.org/$CODE?name=$NAME',
    body_down: '{"name": "$NAME", "tags": ["$TAG1", "$TAG2", "$TAG3"], "exit": $EXITSTATUS}',
    headers_down: { 'Content-Type': 'application/json', 'X-Name': '$NAME' },
    method_up: 'GET',
    url_up: 'https://example.org/up/$SLUG?now=$NOW&status=$STATUS',
    body_up: '',
    headers_up: {},
  }),
  webpush: new PushBrowser().subscription('https://push.example.org/send/secret'),
  whatsapp: '{"value":"+15555550100","up":true,"down":true}',
  zulip: '{"bot_email":"bot@acme.zulipchat.com","api_key":"secret","mtype":"stream","to":"ops"}',
};

/** In place of a token, which is another one each time. */
export const pushAuthorization = (): string => 'vapid t=TOKEN, k=KEY';

export const testSettings: NotifySettings = {
  mailUrl: '',
  mailFrom: 'Knell <knell@example.org>',
  timeZone: 'UTC',
  webhookAllow: { contains: () => false },
  shellChannels: false,
  appriseUrl: 'http://apprise.local:8000',
  githubToken: 'github-token',
  matrixHomeserver: 'https://matrix.example.org',
  matrixToken: 'matrix-token',
  pushoverToken: 'pushover-token',
  signalUrl: 'http://signal.local:8080',
  signalNumber: '+15555550199',
  telegramToken: '1:telegram',
  ...{ discordClientId: 'discord-id', discordClientSecret: 'discord-secret' },
  ...{ slackClientId: 'slack-id', slackClientSecret: 'slack-secret' },
  trelloKey: 'trello-key',
  twilioAccount: 'AC1',
  twilioAuth: 'twilio-auth',
  twilioFrom: '+15555550188',
  whatsappService: 'MG1',
  whatsappDownSid: 'HXdown',
  whatsappUpSid: 'HXup',
};

export function noticeOf(
  kind: ChannelKind,
  notificationKind: NotificationKind,
  facts: Partial<Notice> = {},
): Notice {
  const projectId = asProjectId('00000000-0000-4000-8000-0000000000aa');
  return {
    deliveryId: asDeliveryId('11111111-1111-4111-8111-111111111111'),
    notificationKind,
    test: false,
    channel: {
      id: asChannelId('22222222-2222-4222-8222-222222222222'),
      projectId,
      kind,
      name: kind,
      value: channelValues[kind],
      createdAtMs: 0,
    },
    check: {
      id: asCheckId('33333333-3333-4333-8333-333333333333'),
      projectId,
      badgeId: asBadgeId('44444444-4444-4444-8444-444444444444'),
      createdAtMs: 0,
      config: {
        ...defaultConfig,
        name: 'DB "backup" <b> & *x* @all',
        slug: 'db-backup',
        tags: 'prod db',
        desc: 'Nightly.',
        graceS: 3600,
      },
      state: {
        ...freshState,
        status: notificationKind === 'up' ? 'up' : 'down',
        nPings: 7,
        lastPingMs: atMs - 25 * hour,
      },
    },
    project: { name: 'Acme' },
    atMs,
    endings: [],
    cause: notificationKind === 'up' ? 'success' : 'timeout',
    ping: {
      n: 7,
      atMs: atMs - 25 * hour,
      // Its body is worth showing: of a success before an outage it is not.
      signal: notificationKind === 'up' ? 'success' : 'log',
      scheme: 'https',
      remoteAddr: '192.0.2.1',
      method: 'POST',
      ua: 'curl',
      byHand: false,
      rid: null,
      host: '',
      note: null,
      figures: [],
      about: '',
      results: [],
      exitStatus: 3,
      bodyBytes: 9,
    },
    body: 'disk <99%>',
    mail: null,
    mailSource: null,
    runMs: 754_000,
    lastSuccess: { atMs: atMs - 25 * hour, runMs: 118_000 },
    startedMs: null,
    expectedMs: atMs - hour,
    othersDown: { count: 2, of: 9, names: ['Mail queue', 'disk_space'] },
    othersDownChecks: ['Mail queue', 'disk_space'].map((name, index) => ({
      name,
      url: `https://knell.example.org${checkPath(projectId, `5555555${index}-5555-4555-8555-555555555555`)}`,
      lastPingMs: index === 0 ? null : atMs - 3 * hour,
      went: () =>
        index === 0 ? null : { from: 'up', to: 'down', cause: 'fail', atMs: atMs - 2 * hour, n: 0 },
    })),
    downtimeMs: notificationKind === 'up' ? 90 * 60_000 : null,
    checkJson: '{"name":"x"}',
    baseUrl: 'https://knell.example.org',
    checkUrl: `https://knell.example.org${checkPath(projectId, uniqueKeyOf(asCheckId('33333333-3333-4333-8333-333333333333')))}`,
    actUrl: notificationKind === 'up' || kind === 'github' ? null : 'https://knell.example.org/alert/TOKEN',
    nowMs: atMs + 2000,
    timeZone: 'Europe/Riga',
    ...facts,
  };
}
