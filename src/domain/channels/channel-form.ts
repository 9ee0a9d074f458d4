/**
 * What one is asked for to make an integration, kind by kind: the one table that the page's forms are built from and
 * that the server checks what was typed by. Not here: how fields become a value (`channel-form-value`), what a value
 * must look like (`channel-value`).
 * Invariant: pure data. A field is `open` only where its content is no secret: what is not open never leaves the server.
 */
import type { ChannelKind, ChannelPart } from './channel-value.ts';

type FieldInput = 'line' | 'lines' | 'number' | 'tick' | 'choice' | 'headers' | 'integrations';

export interface ChannelField {
  /** Where the value is a JSON object, its key there. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly input: FieldInput;
  readonly required?: true;
  readonly open?: true;
  /** What it holds while nobody has said anything. A tick holds `yes` or nothing. */
  readonly first?: string;
  readonly choices?: readonly (readonly [value: string, text: string])[];
  /** What its text must look like. */
  readonly part?: ChannelPart;
  /** Fields of one name stand in one box. */
  readonly box?: string;
}

interface ChannelForm {
  readonly title: string;
  /** Where what is asked for is to be had. */
  readonly help: string;
  readonly fields: readonly ChannelField[];
  /** Whether the value is its one field's text, or a JSON object; `pipes`: the fields, with | between. */
  readonly keeps: 'text' | 'json' | 'pipes';
}

type More = Omit<Partial<ChannelField>, 'name' | 'label'>;

const line = (name: string, label: string, more: More = {}): ChannelField => ({
  name,
  label,
  input: 'line',
  ...more,
});
const needed = { required: true } as const;
/** Needed, and no secret. */
const plain = { required: true, open: true } as const;

/** A URL that the vendor made up: anyone who has it may post there. */
function hook(title: string, help: string, label = 'Webhook URL'): ChannelForm {
  return {
    title,
    help,
    keeps: 'text',
    fields: [line('value', label, { ...needed, part: 'url' })],
  };
}

const eventTick = (name: 'down' | 'up', text: string): ChannelField => ({
  name,
  label: text,
  input: 'tick',
  open: true,
  first: 'yes',
});
const bothEvents = [
  eventTick('down', 'Notify when a check goes down'),
  eventTick('up', 'Notify when a check recovers'),
] as const;

const phone: ChannelField = line('value', 'Phone number', {
  ...plain,
  help: 'International format, e.g. +4912345678.',
  part: 'phone',
});

const byTwilio = 'Sent through Twilio. Needs KNELL_TWILIO_ACCOUNT, _AUTH and _FROM on the server.';

const ntfyPriorities = [
  ['5', 'Highest'],
  ['4', 'High'],
  ['3', 'Normal'],
  ['2', 'Low'],
  ['1', 'Lowest'],
  ['0', 'Do not notify'],
] as const;

/** https://github.com/gotify/android#message-priorities */
const gotifyPriorities = [
  ...['10', '9', '8'].map((value) => [value, `${value}: sound and vibration`] as const),
  ...['7', '6', '5', '4'].map((value) => [value, `${value}: sound`] as const),
  ...['3', '2', '1'].map((value) => [value, `${value}: no sound`] as const),
  ['0', 'Do not notify'],
] as const;

const gotifyPriority = (name: string, label: string, first: string): ChannelField => ({
  name,
  label,
  first,
  input: 'choice',
  open: true,
  choices: gotifyPriorities,
});

const pushoverPriorities = [
  ['2', 'Emergency: repeated until confirmed'],
  ['1', 'High'],
  ['0', 'Normal'],
  ['-1', 'Quiet'],
  ['-2', 'Silent'],
  ['-3', 'Do not notify'],
] as const;

const placeholders =
  'Placeholders: $NAME, $STATUS, $CHECK_URL, $CODE, $NOW, $SLUG, $TAGS, $TAG1, $BODY, $EXITSTATUS and $JSON.';

function webhookFields(direction: 'down' | 'up'): readonly ChannelField[] {
  const box = direction === 'down' ? 'When a check goes down' : 'When a check recovers';
  const [url, body] = [`url_${direction}`, `body_${direction}`];
  return [
    { box, name: url, label: 'URL', help: placeholders, input: 'line', part: 'template' },
    {
      box,
      name: `method_${direction}`,
      label: 'Method',
      input: 'choice',
      open: true,
      first: '',
      choices: [
        ['', 'GET, or POST with a body'],
        ['GET', 'GET'],
        ['POST', 'POST'],
        ['PUT', 'PUT'],
      ],
    },
    { box, name: body, label: 'Body', help: `For POST and PUT. ${placeholders}`, input: 'lines' },
    {
      box,
      name: `headers_${direction}`,
      label: 'Headers',
      help: 'One per line, e.g. Content-Type: application/json.',
      input: 'headers',
    },
  ];
}

export const channelForms: Readonly<Record<ChannelKind, ChannelForm>> = {
  alertmanager: hook('Alertmanager', 'Sends alerts to a Prometheus Alertmanager.', 'Alertmanager URL'),
  apprise: {
    title: 'Apprise',
    help: 'Needs KNELL_APPRISE_URL on the server.',
    keeps: 'text',
    fields: [line('value', 'Apprise URL', { ...needed, help: 'E.g. gotify://host/token.', part: 'apprise' })],
  },
  call: {
    title: 'Phone call',
    help: `${byTwilio} Calls only when a check goes down.`,
    keeps: 'json',
    fields: [phone],
  },
  discord: hook('Discord', 'In the channel: Edit, Integrations, Webhooks, New Webhook, Copy Webhook URL.'),
  email: {
    title: 'Email',
    help: 'A message for each check that goes down or recovers.',
    keeps: 'json',
    fields: [line('value', 'Email address', { ...plain, part: 'mail' }), ...bothEvents],
  },
  github: {
    title: 'GitHub',
    help: 'Opens an issue. Needs KNELL_GITHUB_TOKEN on the server: a token that can write issues there.',
    keeps: 'json',
    fields: [
      line('repo', 'Repository', { ...plain, help: 'As owner/name.', part: 'repo' }),
      line('labels', 'Labels', { open: true, help: 'Comma-separated.' }),
    ],
  },
  googlechat: hook('Google Chat', 'In the space: Apps & integrations, Webhooks, Add webhook.'),
  gotify: {
    title: 'Gotify',
    help: 'In Gotify: Apps, Create application; it shows the token.',
    keeps: 'json',
    fields: [
      line('url', 'Gotify URL', { ...plain, part: 'url' }),
      line('token', 'Application token', { ...needed, part: 'word' }),
      gotifyPriority('priority', 'Priority when down', '8'),
      gotifyPriority('priority_up', 'Priority when up', '4'),
    ],
  },
  group: {
    title: 'Group',
    help: 'Notifies several integrations of this project.',
    keeps: 'text',
    fields: [{ name: 'value', label: 'Integrations', input: 'integrations', required: true, open: true }],
  },
  matrix: {
    title: 'Matrix',
    help: 'Needs KNELL_MATRIX_HOMESERVER and _TOKEN on the server. Invite the bot to the room.',
    keeps: 'text',
    fields: [
      line('value', 'Room', {
        ...plain,
        help: 'The internal room ID, e.g. !id:example.org: Room settings, Advanced.',
        part: 'room',
      }),
    ],
  },
  mattermost: hook('Mattermost', 'In Mattermost: Integrations, Incoming Webhooks, Add.'),
  msteamsw: hook(
    'Microsoft Teams',
    'In the channel: Workflows, "Post to a channel when a webhook request is received".',
  ),
  ntfy: {
    title: 'ntfy',
    help: 'Subscribe to the topic in the ntfy app. On a public server, anyone who knows the topic can read it.',
    keeps: 'json',
    fields: [
      line('topic', 'Topic', { ...needed, part: 'word' }),
      line('url', 'Server', { ...plain, first: 'https://ntfy.sh', part: 'url' }),
      line('token', 'Access token', { help: 'If the topic needs one.', part: 'word' }),
      ...(
        [
          ['priority', 'Priority when down'],
          ['priority_up', 'Priority when up'],
        ] as const
      ).map(
        ([name, label]): ChannelField => ({
          name,
          label,
          input: 'choice',
          open: true,
          first: '3',
          choices: ntfyPriorities,
        }),
      ),
    ],
  },
  opsgenie: {
    title: 'Opsgenie',
    help: 'In Opsgenie: Settings, Integrations, Add, API.',
    keeps: 'json',
    fields: [
      line('key', 'API key', { ...needed, part: 'word' }),
      {
        name: 'region',
        label: 'Region',
        input: 'choice',
        required: true,
        open: true,
        first: 'us',
        choices: [
          ['us', 'United States'],
          ['eu', 'Europe'],
        ],
      },
    ],
  },
  pagertree: hook('PagerTree', 'In PagerTree: Integrations, New, Webhook.'),
  pd: {
    title: 'PagerDuty',
    help: 'In PagerDuty: Services, the service, Integrations, Add, Events API V2.',
    keeps: 'text',
    fields: [line('value', 'Integration key', { ...needed, part: 'word' })],
  },
  po: {
    title: 'Pushover',
    help: 'Needs KNELL_PUSHOVER_TOKEN on the server. Your user key is at the top of pushover.net.',
    keeps: 'pipes',
    fields: [
      line('user', 'User or group key', { ...needed, part: 'pushoverUser' }),
      {
        name: 'priority',
        label: 'Priority when down',
        input: 'choice',
        open: true,
        first: '0',
        choices: pushoverPriorities,
      },
      {
        name: 'priority_up',
        label: 'Priority when up',
        input: 'choice',
        open: true,
        first: '0',
        choices: pushoverPriorities,
      },
    ],
  },
  pushbullet: {
    title: 'Pushbullet',
    help: 'On pushbullet.com: Settings, Account, Create Access Token.',
    keeps: 'text',
    fields: [line('value', 'Access token', { ...needed, part: 'word' })],
  },
  rocketchat: hook('Rocket.Chat', 'In Rocket.Chat: Workspace, Integrations, New, Incoming.'),
  shell: {
    title: 'Shell command',
    help: 'Runs on the Knell server. Needs KNELL_SHELL_CHANNELS=on. $NAME, $STATUS, $BODY, … are environment variables.',
    keeps: 'json',
    fields: [
      { name: 'cmd_down', label: 'Command when a check goes down', input: 'lines' },
      { name: 'cmd_up', label: 'Command when a check recovers', input: 'lines' },
    ],
  },
  signal: {
    title: 'Signal',
    help: 'Needs KNELL_SIGNAL_URL and KNELL_SIGNAL_NUMBER on the server.',
    keeps: 'json',
    fields: [
      line('value', 'Phone number or user name', {
        ...plain,
        help: 'E.g. +4912345678 or name.01.',
        part: 'signal',
      }),
      ...bothEvents,
    ],
  },
  slack: hook('Slack', 'In Slack: create an app with Incoming Webhooks, Add New Webhook to Workspace.'),
  sms: { title: 'SMS', help: byTwilio, keeps: 'json', fields: [phone, ...bothEvents] },
  spike: hook('Spike', 'In Spike: Integrations, Add, Webhook.'),
  telegram: {
    title: 'Telegram',
    help: "Needs KNELL_TELEGRAM_TOKEN, a bot's token, on the server. Add the bot to the chat.",
    keeps: 'json',
    fields: [
      {
        name: 'id',
        label: 'Chat ID',
        help: 'A number, negative for groups. Bots such as @userinfobot show it.',
        input: 'number',
        required: true,
        open: true,
      },
      { name: 'thread_id', label: 'Topic ID', help: 'For groups with topics.', input: 'number', open: true },
    ],
  },
  trello: {
    title: 'Trello',
    help: 'Creates a card. Needs KNELL_TRELLO_KEY on the server; create the token with that key.',
    keeps: 'json',
    fields: [
      line('token', 'Token', { ...needed, part: 'word' }),
      line('list_id', 'List ID', {
        ...plain,
        help: "In the board's JSON: add .json to its URL.",
        part: 'word',
      }),
    ],
  },
  victorops: hook(
    'Splunk On-Call',
    'In Splunk On-Call: Integrations, REST, with the routing key at its end.',
    'URL',
  ),
  webhook: {
    title: 'Webhook',
    help: 'Sends an HTTP request when a check goes down, recovers, or both.',
    keeps: 'json',
    fields: [...webhookFields('down'), ...webhookFields('up')],
  },
  whatsapp: {
    title: 'WhatsApp',
    help: `${byTwilio} And KNELL_WHATSAPP_SERVICE, _DOWN_SID, _UP_SID.`,
    keeps: 'json',
    fields: [phone, ...bothEvents],
  },
  zulip: {
    title: 'Zulip',
    help: 'In Zulip: Settings, Bots, Add a new bot, Incoming webhook.',
    keeps: 'json',
    fields: [
      line('bot_email', "The bot's email address", { ...plain, part: 'mail' }),
      line('api_key', "The bot's API key", { ...needed, part: 'word' }),
      {
        name: 'mtype',
        label: 'Send to',
        input: 'choice',
        open: true,
        first: 'stream',
        choices: [
          ['stream', 'A channel'],
          ['private', 'A person'],
        ],
      },
      line('to', 'Channel or person', {
        ...plain,
        help: "The channel's name, or the person's email address.",
      }),
      line('topic', 'Topic', { open: true, help: 'Default: Knell.' }),
      line('site', 'Zulip URL', {
        open: true,
        help: "If it differs from the part after @ in the bot's email address.",
        part: 'url',
      }),
    ],
  },
};
