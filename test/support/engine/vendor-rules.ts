/**
 * What the vendors' documents require of a notification, written down by hand from them and not from Knell's templates. Spike
 * and PagerTree document no fields: they take Healthchecks' messages, in integrations of that name. Paths
 * are those of the JSON or form body, `*` means every item of a list.
 */
import type { SendableKind } from '../../../src/notify/channels/all.ts';

/** How a target reads a text: what must not come through of others' texts. */
export type Dialect = 'text' | 'html' | 'markdown' | 'slack' | 'telegram';

interface VendorRule {
  readonly document: string;
  readonly required: readonly string[];
  /** Where a recovery requires something else. */
  readonly requiredUp?: readonly string[];
  /** Characters (UTF-16 units, of which every vendor counts as many or fewer) or bytes, by path. */
  readonly limits?: Readonly<Record<string, { readonly max: number; readonly unit: 'characters' | 'bytes' }>>;
  /** Of the whole body. */
  readonly bytesMax?: number;
  /** Values of which a field must have one. */
  readonly oneOf?: Readonly<Record<string, readonly (string | number)[]>>;
  /** The texts that show what others wrote. */
  readonly texts: Readonly<Record<string, Dialect>>;
  /** Where the check's address is; `up` where a recovery has it too; null where the vendor has no place for it. */
  readonly link: { readonly path: string; readonly up: boolean } | null;
  /** Where the last lines of the job's output are; null where there is no space. */
  readonly output: string | null;
}

const chars = (max: number) => ({ max, unit: 'characters' }) as const;
const bytes = (max: number) => ({ max, unit: 'bytes' }) as const;

const slackAttachment = (dialect: Dialect): Omit<VendorRule, 'document'> => ({
  required: ['attachments.0.text', 'attachments.0.fallback', 'attachments.0.title'],
  texts: { 'attachments.0.text': dialect, 'attachments.0.title': dialect },
  link: { path: 'attachments.0.title_link', up: true },
  output: 'attachments.0.text',
});

export const vendorRules: Readonly<
  Record<Exclude<SendableKind, 'email' | 'events' | 'shell' | 'webhook'>, VendorRule>
> = {
  alerta: {
    document: 'https://docs.alerta.io/api/reference.html#create-an-alert',
    required: ['environment', 'resource', 'event', 'severity', 'service.0', 'text'],
    oneOf: { severity: ['critical', 'warning', 'normal'], timeout: [0] },
    texts: { text: 'text' },
    link: { path: 'attributes.url', up: true },
    output: 'text',
  },
  alertmanager: {
    document: 'https://prometheus.io/docs/alerting/latest/clients/',
    required: ['0.labels.alertname', '0.startsAt', '0.endsAt'],
    texts: { '0.annotations.description': 'text' },
    link: { path: '0.generatorURL', up: true },
    output: '0.annotations.description',
  },
  apprise: {
    document: 'https://github.com/caronc/apprise-api#api-details',
    required: ['urls', 'body'],
    oneOf: { type: ['info', 'success', 'warning', 'failure'], format: ['text'] },
    texts: { body: 'text' },
    link: { path: 'body', up: true },
    output: 'body',
  },
  call: {
    document: 'https://www.twilio.com/docs/voice/api/call-resource#create-a-call-resource',
    required: ['To', 'From', 'Twiml'],
    limits: { Twiml: chars(4000) },
    texts: { Twiml: 'html' },
    link: null,
    output: null,
  },
  discord: {
    document: 'https://discord.com/developers/docs/resources/message#embed-object-embed-limits',
    required: ['embeds.0.title', 'embeds.0.description', 'allowed_mentions.parse'],
    limits: { 'embeds.0.title': chars(256), 'embeds.0.description': chars(4096), username: chars(80) },
    texts: { 'embeds.0.title': 'markdown', 'embeds.0.description': 'markdown' },
    link: { path: 'embeds.0.url', up: true },
    output: 'embeds.0.description',
  },
  github: {
    document: 'https://docs.github.com/rest/issues/issues#create-an-issue',
    required: ['title', 'body'],
    limits: { title: chars(256), body: chars(65_536) },
    texts: { body: 'markdown' },
    link: { path: 'body', up: false },
    output: 'body',
  },
  googlechat: {
    document: 'https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create',
    required: ['cardsV2.0.card.header.title', 'cardsV2.0.card.sections.0.widgets.0.textParagraph.text'],
    bytesMax: 32_000,
    texts: { 'cardsV2.0.card.sections.0.widgets.0.textParagraph.text': 'html' },
    link: {
      path: 'cardsV2.0.card.sections.0.widgets.1.buttonList.buttons.0.onClick.openLink.url',
      up: true,
    },
    output: 'cardsV2.0.card.sections.0.widgets.0.textParagraph.text',
  },
  gotify: {
    document: 'https://gotify.net/docs/msgextras',
    required: ['message', 'title', 'priority'],
    oneOf: { 'extras.client::display.contentType': ['text/markdown', 'text/plain'] },
    texts: { message: 'markdown' },
    link: { path: 'extras.client::notification.click.url', up: true },
    output: 'message',
  },
  matrix: {
    document: 'https://spec.matrix.org/latest/client-server-api/#mtext',
    required: ['msgtype', 'body', 'format', 'formatted_body', 'm.mentions'],
    // Space for the event's own fields and signatures in its 65,536.
    bytesMax: 60_000,
    oneOf: { format: ['org.matrix.custom.html'] },
    texts: { body: 'text', formatted_body: 'html' },
    link: { path: 'formatted_body', up: true },
    output: 'formatted_body',
  },
  mattermost: {
    document: 'https://developers.mattermost.com/integrate/reference/message-attachments/',
    ...slackAttachment('markdown'),
    limits: { 'attachments.0.text': chars(16_383) },
  },
  mqtt: {
    document: 'https://docs.oasis-open.org/mqtt/mqtt/v3.1.1/mqtt-v3.1.1.html',
    required: ['status', 'name', 'title', 'at'],
    oneOf: { status: ['down', 'up', 'late'] },
    texts: { text: 'text' },
    link: { path: 'url', up: true },
    output: 'text',
  },
  msteamsw: {
    document: 'https://learn.microsoft.com/connectors/teams/#known-issues-and-limitations-with-actions',
    required: [
      ...['type', 'attachments.0.contentType', 'attachments.0.content.type'],
      ...['attachments.0.content.version', 'attachments.0.content.body.0.inlines.0.text'],
    ],
    bytesMax: 28_000,
    oneOf: { 'attachments.0.content.body.*.type': ['RichTextBlock'] },
    texts: {},
    link: { path: 'attachments.0.content.actions.0.url', up: true },
    output: 'attachments.0.content.body.*.inlines.0.text',
  },
  ntfy: {
    document: 'https://docs.ntfy.sh/publish/#publish-as-json',
    required: ['topic', 'message', 'title'],
    limits: { message: bytes(4096) },
    oneOf: { priority: [1, 2, 3, 4, 5], 'actions.0.action': ['view'] },
    texts: { message: 'text' },
    link: { path: 'click', up: true },
    output: 'message',
  },
  opsgenie: {
    document: 'https://docs.opsgenie.com/docs/alerts-and-alert-fields',
    required: ['message', 'alias'],
    requiredUp: ['source'],
    limits: {
      ...{ message: chars(130), alias: chars(512), description: chars(15_000) },
      ...{ 'tags.*': chars(50), source: chars(100), note: chars(25_000) },
    },
    texts: { description: 'text' },
    link: { path: 'details.check', up: false },
    output: 'description',
  },
  pagertree: {
    document: 'https://github.com/healthchecks/healthchecks/tree/master/hc/integrations/pagertree',
    required: ['incident_key', 'event_type', 'title', 'description'],
    oneOf: { event_type: ['trigger', 'resolve'] },
    texts: { description: 'text' },
    link: { path: 'client_url', up: true },
    output: 'description',
  },
  pd: {
    document: 'https://developer.pagerduty.com/docs/events-api-v2/trigger-events/',
    required: ['routing_key', 'event_action', 'payload.summary', 'payload.source', 'payload.severity'],
    requiredUp: ['routing_key', 'event_action', 'dedup_key'],
    limits: { dedup_key: chars(255), 'payload.summary': chars(1024) },
    bytesMax: 512_000,
    oneOf: {
      event_action: ['trigger', 'resolve'],
      'payload.severity': ['critical', 'error', 'warning', 'info'],
    },
    texts: { 'payload.summary': 'text' },
    link: { path: 'links.0.href', up: false },
    output: 'payload.custom_details.body',
  },
  po: {
    document: 'https://pushover.net/api#limits',
    required: ['token', 'user', 'message', 'priority'],
    limits: { message: chars(1024), title: chars(250), url: chars(512), url_title: chars(100) },
    oneOf: { priority: ['-2', '-1', '0', '1', '2'], expire: ['10800'] },
    texts: { message: 'text' },
    link: { path: 'url', up: true },
    output: 'message',
  },
  pushbullet: {
    document: 'https://docs.pushbullet.com/#create-push',
    required: ['type', 'title', 'body', 'url'],
    oneOf: { type: ['link'] },
    texts: { body: 'text' },
    link: { path: 'url', up: true },
    output: 'body',
  },
  pushsafer: {
    document: 'https://www.pushsafer.com/en/pushapi_ext',
    required: ['k', 'm', 'd', 'pr'],
    limits: { m: chars(5000), t: chars(255) },
    oneOf: { pr: ['-2', '-1', '0', '1', '2'], re: ['60'], ex: ['3600'] },
    texts: { m: 'text' },
    link: { path: 'u', up: true },
    output: 'm',
  },
  rocketchat: {
    document: 'https://github.com/RocketChat/Rocket.Chat/tree/develop/packages/message-parser',
    required: ['text', 'attachments.0.text'],
    limits: { text: chars(5000), 'attachments.0.text': chars(5000) },
    texts: { text: 'markdown', 'attachments.0.text': 'markdown' },
    link: { path: 'attachments.0.title_link', up: true },
    output: 'attachments.0.text',
  },
  signal: {
    document: 'https://bbernhard.github.io/signal-cli-rest-api/#/Messages/post_v2_send',
    required: ['number', 'recipients.0', 'message'],
    limits: { message: bytes(2000) },
    texts: { message: 'text' },
    link: { path: 'message', up: true },
    output: 'message',
  },
  signl4: {
    document: 'https://docs.signl4.com/integrations/webhook/webhook.html',
    required: ['Title', 'Message', 'X-S4-ExternalID', 'X-S4-Status'],
    oneOf: { 'X-S4-Status': ['new', 'resolved'] },
    texts: { Message: 'text' },
    link: { path: 'Link', up: true },
    output: 'Message',
  },
  slack: {
    document: 'https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments',
    ...slackAttachment('slack'),
  },
  sms: {
    document: 'https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource',
    required: ['To', 'From', 'Body'],
    limits: { Body: chars(1600) },
    texts: { Body: 'text' },
    link: { path: 'Body', up: true },
    output: null,
  },
  spike: {
    document: 'https://github.com/healthchecks/healthchecks/tree/master/hc/integrations/spike',
    required: ['check_id', 'title', 'message', 'status'],
    oneOf: { status: ['down', 'up'] },
    texts: { message: 'text' },
    link: { path: 'message', up: true },
    output: 'message',
  },
  telegram: {
    document: 'https://core.telegram.org/bots/api#sendmessage',
    required: ['chat_id', 'text'],
    limits: { text: chars(4096) },
    oneOf: { parse_mode: ['HTML'] },
    texts: { text: 'telegram' },
    link: { path: 'text', up: true },
    output: 'text',
  },
  trello: {
    document: 'https://developer.atlassian.com/cloud/trello/rest/api-group-cards/#api-cards-post',
    required: ['idList', 'name'],
    limits: { name: chars(16_384), desc: chars(16_384) },
    texts: { desc: 'markdown' },
    link: { path: 'desc', up: true },
    output: 'desc',
  },
  victorops: {
    document:
      'https://help.splunk.com/splunk-observability-cloud/splunk-on-call/integrations-with-splunk-on-call/rest-endpoint-integration-for-splunk-on-call',
    required: ['message_type', 'entity_id', 'state_message'],
    oneOf: { message_type: ['CRITICAL', 'WARNING', 'RECOVERY', 'ACKNOWLEDGEMENT', 'INFO'] },
    texts: { state_message: 'text' },
    link: { path: 'vo_annotate.u.Check', up: true },
    output: 'state_message',
  },
  webpush: {
    document: 'https://www.rfc-editor.org/rfc/rfc8291#section-4',
    required: ['title', 'text', 'url', 'tag', 'status'],
    oneOf: { status: ['down', 'up', 'late'] },
    bytesMax: 3993,
    texts: { text: 'text' },
    link: { path: 'url', up: true },
    output: 'text',
  },
  whatsapp: {
    document: 'https://www.twilio.com/docs/api/errors/63021',
    required: ['To', 'From', 'ContentSid', 'ContentVariables'],
    limits: { ContentVariables: chars(1024) },
    texts: {},
    link: null,
    output: null,
  },
  zulip: {
    document: 'https://zulip.com/api/send-message',
    required: ['type', 'to', 'topic', 'content'],
    limits: { content: chars(10_000), topic: chars(60) },
    oneOf: { type: ['stream', 'channel', 'private', 'direct'] },
    texts: { content: 'markdown' },
    link: { path: 'content', up: true },
    output: 'content',
  },
};

/** The values at a path; a name with dots in it is tried as a whole first. */
export function valuesAt(body: unknown, path: string): readonly unknown[] {
  if (path === '') return [body];
  if (typeof body !== 'object' || body === null) return [];
  const fields = new Map(Object.entries(body));
  if (fields.has(path)) return [fields.get(path)];
  const dot = path.indexOf('.');
  const [name, rest] = dot < 0 ? [path, ''] : [path.slice(0, dot), path.slice(dot + 1)];
  if (name === '*') return [...fields.values()].flatMap((item) => valuesAt(item, rest));
  return fields.has(name) ? valuesAt(fields.get(name), rest) : [];
}
