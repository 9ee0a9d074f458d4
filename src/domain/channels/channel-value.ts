/**
 * What an integration's `value` must look like, kind by kind: what Healthchecks keeps in `Channel.value`.
 * Invariant: pure; says in one sentence what is wrong, without repeating the value, which may hold secrets.
 */

/** Null when the value will do, else what it must be. */
type Rule = (value: string) => string | null;

const valueCharsMax = 10_000;

/** Null when `value` is what `kind` keeps; else a sentence for the person who typed it. */
export function channelValueError(kind: ChannelKind, value: string): string | null {
  if (value === '') return `the value of ${kind} must not be empty`;
  if (value.length > valueCharsMax) return `the value of ${kind} has at most ${valueCharsMax} characters`;
  const error = rules[kind](value);
  return error === null ? null : `the value of ${kind} must be ${error}`;
}

interface Part {
  readonly fits: (text: string) => boolean;
  /** What it must be. */
  readonly is: string;
}

function part(pattern: RegExp, is: string): Part {
  return { fits: (text) => pattern.test(text), is };
}

/** What values are made of. */
export const channelParts = {
  url: { fits: isUrl, is: 'a URL that begins with https:// or http://' },
  /** With placeholders in it. */
  template: {
    fits: (text: string) => isUrl(text.replaceAll('$', '')),
    is: 'a URL that begins with https:// or http://',
  },
  word: part(/^\S+$/, 'one word without spaces'),
  mail: part(/^[^\s@]+@[^\s@]+$/, 'a valid email address'),
  phone: part(/^\+\d{5,15}$/, 'a phone number such as +4912345678'),
  signal: part(/^(\+\d{5,15}|[^\s.]+\.\d+)$/, 'a phone number or a Signal user name such as name.01'),
  room: part(/^!\S+$/, 'a room ID such as !id:example.org'),
  apprise: part(/^[a-z0-9]+:\/\/\S+$/i, 'an Apprise URL such as gotify://host/token'),
  repo: part(/^[^\s/]+\/[^\s/]+$/, 'a repository such as owner/name'),
  pushoverUser: part(/^\w+$/, 'a key of letters and digits'),
} as const satisfies Readonly<Record<string, Part>>;
export type ChannelPart = keyof typeof channelParts;

const url = only(channelParts.url);
const anything = only(channelParts.word);
const phone = jsonOr(channelParts.phone, 'a phone number such as +4912345678, or {"value": "+4912345678"}');

const rules = {
  alertmanager: url,
  apprise: only(channelParts.apprise),
  call: phone,
  discord: urlOr('webhook.url', 'a URL, or {"webhook": {"url": "https://…"}}'),
  email: jsonOr(
    channelParts.mail,
    'an email address, or {"value": "a@example.org", "up": true, "down": true}',
  ),
  github: fields('repo'),
  googlechat: url,
  gotify: fields('url', 'token'),
  group: (value) =>
    value.split(',').every((id) => /^[0-9a-f-]{36}$/.test(id)) ? null : 'integration ids, comma-separated',
  matrix: only(channelParts.room),
  mattermost: url,
  msteamsw: url,
  ntfy: fields('topic', 'url'),
  opsgenie: fields('key', 'region'),
  pagertree: url,
  pd: (value) => (value.startsWith('{') ? fields('service_key')(value) : anything(value)),
  po: (value) =>
    /^\w+\|-?\d(\|-?\d)?$/.test(value) ? null : 'user key and priorities such as uQiRzpo4…|0|0',
  pushbullet: anything,
  rocketchat: url,
  shell: (value) => {
    const object = parseObject(value);
    return object?.cmd_down || object?.cmd_up ? null : 'a JSON object with "cmd_down" or "cmd_up"';
  },
  signal: jsonOr(channelParts.signal, channelParts.signal.is),
  slack: urlOr(
    'incoming_webhook.url',
    'an address, or what Slack sent: {"incoming_webhook": {"url": "https://…"}}',
  ),
  sms: phone,
  spike: url,
  telegram: fields('id'),
  trello: fields('token', 'list_id'),
  victorops: url,
  webhook: webhook,
  whatsapp: phone,
  zulip: fields('bot_email', 'api_key', 'to'),
} as const satisfies Readonly<Record<string, Rule>>;

/** The kinds of integration: Healthchecks' and `alertmanager`. */
export type ChannelKind = keyof typeof rules;
export const channelKinds: readonly ChannelKind[] = Object.keys(rules) as ChannelKind[];

/** Whether an integration of that value is notified of a check going down, or recovering: most of both. */
export function channelAccepts(kind: ChannelKind, value: string, direction: 'down' | 'up'): boolean {
  switch (kind) {
    case 'email':
    case 'signal':
    case 'sms':
    case 'whatsapp':
      return parseObject(value)?.[direction] !== false;
    case 'call':
    case 'trello':
      return direction === 'down';
    case 'webhook':
      return (parseObject(value)?.[`url_${direction}`] ?? '') !== '';
    case 'shell':
      return (parseObject(value)?.[`cmd_${direction}`] ?? '') !== '';
    case 'gotify':
    case 'ntfy':
      return parseObject(value)?.[direction === 'up' ? 'priority_up' : 'priority'] !== 0;
    case 'po': {
      const [, down, up = down] = value.split('|');
      return (direction === 'up' ? up : down) !== '-3';
    }
    default:
      return true;
  }
}

/** A value taken apart: what templates may name. */
export type ChannelFields = Readonly<Record<string, string | number | boolean>>;

/** The fields of a valid value; `value` is the whole of it where it is plain text. */
export function channelFields(kind: ChannelKind, value: string): ChannelFields {
  if (kind === 'po') {
    const [user = '', down = '0', up = down] = value.split('|');
    return { user, priorityDown: Number(down), priorityUp: Number(up), ...emergency(down, up) };
  }
  if (kind === 'alertmanager') return { base: value.replace(/\/+$/, '') };
  const object = value.startsWith('{') ? parseObject(value) : null;
  if (kind === 'discord' && object === null) return { value: presentDiscord(value) };
  if (object === null) return { value, ...(kind === 'pd' ? { service_key: value } : {}) };
  const plain: Record<string, string | number | boolean> = {};
  for (const [name, field] of Object.entries(object)) {
    if (typeof field === 'string' || typeof field === 'number' || typeof field === 'boolean')
      plain[name] = field;
  }
  return { ...plain, ...extraFields(kind, object) };
}

/** Pushover repeats an emergency (priority 2) every so many seconds until somebody confirms it, for so long at most. */
function emergency(down: string, up: string): ChannelFields {
  // The longest that Pushover allows.
  const repeating = { retry: 300, expire: 10_800 };
  return {
    endsEmergency: down === '2',
    ...(down === '2' ? { retryDown: repeating.retry, expireDown: repeating.expire } : {}),
    ...(up === '2' ? { retryUp: repeating.retry, expireUp: repeating.expire } : {}),
  };
}

/** What is deeper in a value, or has a default. */
function extraFields(kind: ChannelKind, object: Readonly<Record<string, unknown>>): ChannelFields {
  switch (kind) {
    case 'discord':
      return { value: presentDiscord(textAt(object, 'webhook.url')) };
    case 'slack':
      return { value: textAt(object, 'incoming_webhook.url') };
    case 'ntfy':
      return { priority: 3, priority_up: 3, ...numbers(object, 'priority', 'priority_up') };
    case 'zulip': {
      const [, domain = ''] = textAt(object, 'bot_email').split('@');
      const site = textAt(object, 'site') || `https://${domain}`;
      const mtype = textAt(object, 'mtype') || 'stream';
      return { site: site.replace(/\/+$/, ''), mtype, recipients: zulipRecipients(mtype, object.to) };
    }
    case 'opsgenie': {
      const region = textAt(object, 'region') === 'eu' ? 'api.eu' : 'api';
      return { api: `https://${region}.opsgenie.com` };
    }
    case 'gotify':
      return {
        url: textAt(object, 'url').replace(/\/+$/, ''),
        priority: 8,
        priority_up: 4,
        ...numbers(object, 'priority', 'priority_up'),
      };
    default:
      return {};
  }
}

/** Discord's first domain, which it has left. */
function presentDiscord(url: string): string {
  return url.replace(/^https:\/\/discordapp\.com\//i, 'https://discord.com/');
}

/** A channel by its name or id; people by a JSON list of ids or of email addresses. */
function zulipRecipients(mtype: string, to: unknown): string {
  const text = typeof to === 'string' || typeof to === 'number' ? String(to).trim() : JSON.stringify(to);
  if (mtype === 'stream' || text.startsWith('[')) return text;
  const people = text.split(',').map((one) => one.trim());
  return JSON.stringify(people.map((one) => (/^\d+$/.test(one) ? Number(one) : one)));
}

function numbers(object: Readonly<Record<string, unknown>>, ...names: readonly string[]): ChannelFields {
  const found: Record<string, number> = {};
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'number') found[name] = value;
  }
  return found;
}

function textAt(object: Readonly<Record<string, unknown>>, path: string): string {
  const found = at(object, path);
  return typeof found === 'string' ? found : '';
}

function at(object: unknown, path: string): unknown {
  let found = object;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.entries(found).find(([key]) => key === name)?.[1];
  }
  return found;
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** Null for what is no JSON object. */
export function parseObject(value: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}

/** A JSON object in which each of `names` is present and not empty. */
function fields(...names: readonly string[]): Rule {
  return (value) => {
    const object = parseObject(value);
    const missing = names.find((name) => object?.[name] === undefined || object[name] === '');
    if (object && missing === undefined) return null;
    return `a JSON object with ${names.map((name) => `"${name}"`).join(', ')}`;
  };
}

function only({ fits, is }: Part): Rule {
  return (value) => (fits(value) ? null : is);
}

/** Text that fits, or a JSON object whose `value` does. */
function jsonOr({ fits }: Part, description: string): Rule {
  return (value) => {
    const inner = value.startsWith('{') ? parseObject(value)?.value : value;
    return typeof inner === 'string' && fits(inner) ? null : description;
  };
}

/** An address, or a JSON object that has one at `path`. */
function urlOr(path: string, description: string): Rule {
  return (value) => {
    if (isUrl(value)) return null;
    return isUrl(at(parseObject(value), path)) ? null : description;
  };
}

const webhookMethods: readonly unknown[] = [undefined, '', 'GET', 'POST', 'PUT'];

/** Either of the two requests may be left out, but not both. */
function webhook(value: string): string | null {
  const object = parseObject(value);
  if (!object) return 'a JSON object with "url_down" or "url_up"';
  for (const state of ['down', 'up']) {
    const address = object[`url_${state}`] ?? '';
    if (address !== '' && !channelParts.template.fits(String(address)))
      return `JSON whose "url_${state}" is an address`;
    if (!webhookMethods.includes(object[`method_${state}`]))
      return `JSON whose "method_${state}" is GET, POST or PUT`;
  }
  const some = [object.url_down, object.url_up].some((address) => address !== undefined && address !== '');
  return some ? null : 'a JSON object with "url_down" or "url_up"';
}
