/**
 * What one is asked for to make an integration, kind by kind: the one table that the page's forms are built from and
 * that the server checks what was typed by. Not here: how fields become a value (`channel-form-value`), what a value
 * must look like (`channel-value`).
 * Invariant: pure data. A field is `open` only where its content is no secret: what is not open never leaves the server.
 */
import type { ChannelKind, ChannelPart } from './channel-value.ts';

export type FieldInput = 'line' | 'lines' | 'number' | 'tick' | 'choice' | 'headers' | 'integrations';

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

export interface ChannelForm {
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

/** An address that somebody else made up: whoever has it may post there. */
function hook(title: string, help: string, label = 'Webhook address'): ChannelForm {
  return {
    title,
    help,
    keeps: 'text',
    fields: [line('value', label, { ...needed, part: 'url' })],
  };
}

const tells = (name: 'down' | 'up', text: string): ChannelField => ({
  name,
  label: text,
  input: 'tick',
  open: true,
  first: 'yes',
});
const bothTold = [
  tells('down', 'Tell when a check goes down'),
  tells('up', 'Tell when it comes up again'),
] as const;

const phone: ChannelField = line('value', 'Phone number', {
  ...plain,
  help: 'With the code of its country, such as +4912345678.',
  part: 'phone',
});

const byTwilio = 'Through Twilio: whoever runs Knell sets KNELL_TWILIO_ACCOUNT, _AUTH and _FROM.';

const ntfyPriorities = [
  ['5', 'Highest'],
  ['4', 'High'],
  ['3', 'Normal'],
  ['2', 'Low'],
  ['1', 'Lowest'],
  ['0', 'Do not tell'],
] as const;

const pushoverPriorities = [
  ['2', 'Emergency: until somebody confirms it'],
  ['1', 'High'],
  ['0', 'Normal'],
  ['-1', 'Quiet'],
  ['-2', 'Silent'],
  ['-3', 'Do not tell'],
] as const;

const placeholders = '$NAME, $STATUS, $CODE, $NOW, $TAGS, $BODY, $EXITSTATUS and $JSON are filled in.';

function webhookFields(direction: 'down' | 'up'): readonly ChannelField[] {
  const box = direction === 'down' ? 'When a check goes down' : 'When it comes up again';
  const [url, body] = [`url_${direction}`, `body_${direction}`];
  return [
    { box, name: url, label: 'Address', help: placeholders, input: 'line', part: 'template' },
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
    { box, name: body, label: 'Body', help: `Of POST and PUT. ${placeholders}`, input: 'lines' },
    {
      box,
      name: `headers_${direction}`,
      label: 'Headers',
      help: 'One a line, such as Content-Type: application/json.',
      input: 'headers',
    },
  ];
}

export const channelForms: Readonly<Record<ChannelKind, ChannelForm>> = {
  alertmanager: hook(
    'Alertmanager',
    'Prometheus Alertmanager takes alerts at its own address.',
    'Address of Alertmanager',
  ),
  apprise: {
    title: 'Apprise',
    help: 'Whoever runs Knell sets KNELL_APPRISE_URL. The address is one that Apprise knows.',
    keeps: 'text',
    fields: [
      line('value', 'Apprise address', { ...needed, help: 'Such as gotify://host/token.', part: 'apprise' }),
    ],
  },
  call: {
    title: 'Phone call',
    help: `${byTwilio} Calls tell of going down alone.`,
    keeps: 'json',
    fields: [phone],
  },
  discord: hook('Discord', 'In the channel: Edit, Integrations, Webhooks, New Webhook, Copy Webhook URL.'),
  email: {
    title: 'Email',
    help: 'Whoever runs Knell sets KNELL_MAIL_URL.',
    keeps: 'json',
    fields: [line('value', 'Mail address', { ...plain, part: 'mail' }), ...bothTold],
  },
  github: {
    title: 'GitHub',
    help: 'Opens an issue. Whoever runs Knell sets KNELL_GITHUB_TOKEN to a token that may write issues there.',
    keeps: 'json',
    fields: [
      line('repo', 'Repository', { ...plain, help: 'As owner/name.', part: 'repo' }),
      line('labels', 'Labels', { open: true, help: 'With commas between.' }),
    ],
  },
  googlechat: hook('Google Chat', 'In the space: Apps & integrations, Webhooks, Add webhook.'),
  gotify: {
    title: 'Gotify',
    help: 'In Gotify: Apps, Create application; it shows the token.',
    keeps: 'json',
    fields: [
      line('url', 'Address of Gotify', { ...plain, part: 'url' }),
      line('token', 'Token of the application', { ...needed, part: 'word' }),
    ],
  },
  group: {
    title: 'Group',
    help: 'Tells several integrations of this project at once.',
    keeps: 'text',
    fields: [{ name: 'value', label: 'Who is in it', input: 'integrations', required: true, open: true }],
  },
  matrix: {
    title: 'Matrix',
    help: 'Whoever runs Knell sets KNELL_MATRIX_HOMESERVER and _TOKEN, and the bot joins the room.',
    keeps: 'text',
    fields: [
      line('value', 'Room', {
        ...plain,
        help: 'Its internal id, such as !id:example.org: Room settings, Advanced.',
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
    help: 'Subscribe to the topic in the ntfy app. On a public server whoever knows its name can read it.',
    keeps: 'json',
    fields: [
      line('topic', 'Topic', { ...needed, part: 'word' }),
      line('url', 'Server', { ...plain, first: 'https://ntfy.sh', part: 'url' }),
      line('token', 'Access token', { help: 'Where the topic wants one.', part: 'word' }),
      ...(
        [
          ['priority', 'Priority when down'],
          ['priority_up', 'Priority when up again'],
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
    help: 'Whoever runs Knell sets KNELL_PUSHOVER_TOKEN. Your user key stands at the top of pushover.net.',
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
        label: 'Priority when up again',
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
    help: 'Runs on the machine of Knell, if KNELL_SHELL_CHANNELS is on. $NAME, $STATUS, $BODY, … are environment variables.',
    keeps: 'json',
    fields: [
      { name: 'cmd_down', label: 'Command when a check goes down', input: 'lines' },
      { name: 'cmd_up', label: 'Command when it comes up again', input: 'lines' },
    ],
  },
  signal: {
    title: 'Signal',
    help: 'Whoever runs Knell sets KNELL_SIGNAL_URL and KNELL_SIGNAL_NUMBER.',
    keeps: 'json',
    fields: [
      line('value', 'Phone number or user name', {
        ...plain,
        help: 'Such as +4912345678 or name.01.',
        part: 'signal',
      }),
      ...bothTold,
    ],
  },
  slack: hook('Slack', 'In Slack: make an app with Incoming Webhooks, Add New Webhook to Workspace.'),
  sms: { title: 'SMS', help: byTwilio, keeps: 'json', fields: [phone, ...bothTold] },
  spike: hook('Spike', 'In Spike: Integrations, Add, Webhook.'),
  telegram: {
    title: 'Telegram',
    help: 'Whoever runs Knell sets KNELL_TELEGRAM_TOKEN to the token of a bot, which joins the chat.',
    keeps: 'json',
    fields: [
      {
        name: 'id',
        label: 'Chat id',
        help: 'A number, negative for groups; bots such as @userinfobot tell it.',
        input: 'number',
        required: true,
        open: true,
      },
      { name: 'thread_id', label: 'Topic id', help: 'Of a group with topics.', input: 'number', open: true },
    ],
  },
  trello: {
    title: 'Trello',
    help: 'Makes a card. Whoever runs Knell sets KNELL_TRELLO_KEY; the token is made with that key.',
    keeps: 'json',
    fields: [
      line('token', 'Token', { ...needed, part: 'word' }),
      line('list_id', 'List id', {
        ...plain,
        help: 'In the board as JSON: add .json to its address.',
        part: 'word',
      }),
    ],
  },
  victorops: hook(
    'Splunk On-Call',
    'In Splunk On-Call: Integrations, REST, with the routing key at its end.',
    'Address',
  ),
  webhook: {
    title: 'Webhook',
    help: 'Any HTTP request, for one or both of the two.',
    keeps: 'json',
    fields: [...webhookFields('down'), ...webhookFields('up')],
  },
  whatsapp: {
    title: 'WhatsApp',
    help: `${byTwilio} And KNELL_WHATSAPP_SERVICE, _DOWN_SID, _UP_SID.`,
    keeps: 'json',
    fields: [phone, ...bothTold],
  },
  zulip: {
    title: 'Zulip',
    help: 'In Zulip: Settings, Bots, Add a new bot, Incoming webhook.',
    keeps: 'json',
    fields: [
      line('bot_email', "The bot's mail address", { ...plain, part: 'mail' }),
      line('api_key', "The bot's API key", { ...needed, part: 'word' }),
      {
        name: 'mtype',
        label: 'Where to',
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
        help: "The channel's name, or the person's mail address.",
      }),
      line('topic', 'Topic', { open: true, help: 'Knell, if it is empty.' }),
      line('site', 'Address of Zulip', {
        open: true,
        help: "Where it is not what follows the @ of the bot's mail address.",
        part: 'url',
      }),
    ],
  },
};
