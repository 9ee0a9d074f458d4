/**
 * The parts of integrations' values, and the rules that many kinds share.
 * Invariant: pure; the error of a rule is one sentence and does not repeat the value, which may contain secrets.
 */

/** Returns null if the value is valid, else what it must be. */
export type Rule = (value: string) => string | null;

/** The parts of a value, which request templates may name. */
export type ValueParts = Readonly<Record<string, string | number | boolean>>;

interface Part {
  readonly fits: (text: string) => boolean;
  /** Words for what the text must be. */
  readonly is: string;
}

function part(pattern: RegExp, is: string): Part {
  return { fits: (text) => pattern.test(text), is };
}

/** What a signing secret begins with. */
export const signingPrefix = 'whsec_';

/** Forms that the text of a field may have to have. */
export const forms = {
  url: { fits: isUrl, is: 'a URL that begins with https:// or http://' },
  /** Of Slack, which is reached through https only. */
  slackHook: {
    fits: (text: string) => isUrl(text) && /^https:/i.test(text),
    is: 'a URL that begins with https://, such as https://hooks.slack.com/services/…',
  },
  /** A URL with placeholders in it. */
  template: {
    fits: (text: string) => isUrl(text.replaceAll('$', '')),
    is: 'a URL that begins with https:// or http://',
  },
  word: part(/^\S+$/, 'one word without spaces'),
  /** What the server of ntfy takes: https://docs.ntfy.sh/publish/. */
  ntfyTopic: part(
    /^[-_a-z\d]{1,64}$/i,
    'a topic of letters, digits, - and _, at most 64 of them, without the address of the server',
  ),
  mail: part(/^[^\s@]+@[^\s@]+$/, 'a valid email address'),
  phone: part(/^\+\d{5,15}$/, 'a phone number such as +4912345678'),
  signal: part(/^(\+\d{5,15}|[^\s.]+\.\d+)$/, 'a phone number or a Signal user name such as name.01'),
  room: part(/^!\S+$/, 'a room ID such as !id:example.org'),
  apprise: part(/^[a-z0-9]+:\/\/\S+$/i, 'an Apprise URL such as gotify://host/token'),
  repo: part(/^[^\s/]+\/[^\s/]+$/, 'a repository such as owner/name'),
  signing: {
    fits: (text: string) => isSigning(text.split(' ')),
    is: 'a signing secret: whsec_ and 24 to 64 random bytes in base64; or two of them with a space between',
  },
  broker: {
    fits: (text: string) =>
      /^mqtts?:\/\/[^/?#@]+\/?$/i.test(text) && URL.canParse(text.replace(/^mqtt/i, 'http')),
    is: 'the address of a broker such as mqtts://broker.example.org or mqtt://192.168.1.10:1883',
  },
  /** Without wildcards, no topic of the broker itself, and UTF-8: sections 4.7.1, 4.7.2 and 1.5.3 of MQTT 3.1.1. */
  topic: part(/^(?!\$)[^+#\0\p{Cs}]{1,200}$/u, 'a topic without + and #, such as knell/home'),
  pagerDutyKey: part(/^[a-z\d]{32}$/i, 'the 32 letters and digits of an integration key'),
  pushoverUser: part(/^\w+$/, 'a key of letters and digits'),
} as const satisfies Readonly<Record<string, Part>>;

export type TextForm = keyof typeof forms;

/** The rule of `secret` in a JSON object. */
export function signingSecretError(secret: unknown): string | null {
  if (secret === undefined || secret === '') return null;
  const isValid = typeof secret === 'string' && forms.signing.fits(secret);
  return isValid ? null : `JSON whose "secret" is ${forms.signing.is}`;
}

const base64 = /^(?:[a-z0-9+/]{4})+(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?$/i;

/** As Standard Webhooks writes secrets of HMAC-SHA256. A third one is one that somebody forgot to remove. */
function isSigning(secrets: readonly string[]): boolean {
  return secrets.length <= 2 && secrets.every(isSigningSecret);
}

function isSigningSecret(secret: string): boolean {
  if (!secret.startsWith(signingPrefix)) return false;
  const text = secret.slice(signingPrefix.length);
  const bytes = Math.floor((text.replaceAll('=', '').length * 3) / 4);
  return base64.test(text) && bytes >= 24 && bytes <= 64;
}

export const phoneRule = jsonOr(
  forms.phone,
  'a phone number such as +4912345678, or {"value": "+4912345678"}',
);

/** The plain fields of a JSON object; of another text, one field `value` with the whole text. */
export function plainParts(value: string): ValueParts {
  const object = value.startsWith('{') ? parseObject(value) : null;
  if (object === null) return { value };
  const plain: Record<string, string | number | boolean> = {};
  for (const [name, field] of Object.entries(object)) {
    if (typeof field === 'string' || typeof field === 'number' || typeof field === 'boolean')
      plain[name] = field;
  }
  return plain;
}

/** Returns `parts`, with `numbers` as the defaults of fields that are no numbers. */
export function withNumbers(parts: ValueParts, numbers: Readonly<Record<string, number>>): ValueParts {
  const own = Object.entries(numbers).map(([name, number]) => {
    const given = parts[name];
    return [name, typeof given === 'number' ? given : number] as const;
  });
  return { ...parts, ...Object.fromEntries(own) };
}

/** The rule of kinds whose form has a tick for each event. */
export function unlessUnticked(value: string, direction: 'down' | 'up'): boolean {
  return parseObject(value)?.[direction] !== false;
}

/** Returns the text at that path of an object; empty for none. */
export function textAt(object: Readonly<Record<string, unknown>>, path: string): string {
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

/** Returns null if the text is no JSON object. */
export function parseObject(value: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}

/** The value must be a JSON object in which each of `names` is present and not empty. */
export function fields(...names: readonly string[]): Rule {
  return (value) => {
    const object = parseObject(value);
    const missing = names.find((name) => object?.[name] === undefined || object[name] === '');
    if (object && missing === undefined) return null;
    return `a JSON object with ${names.map((name) => `"${name}"`).join(', ')}`;
  };
}

export function only({ fits, is }: Part): Rule {
  return (value) => (fits(value) ? null : is);
}

/** The value must be a text that fits, or a JSON object whose `value` fits. */
export function jsonOr({ fits }: Part, description: string): Rule {
  return (value) => {
    const inner = value.startsWith('{') ? parseObject(value)?.value : value;
    return typeof inner === 'string' && fits(inner) ? null : description;
  };
}

/** The value must be a URL, or a JSON object that has one at `path`. */
export function urlOr(path: string, description: string): Rule {
  return (value) => {
    if (isUrl(value)) return null;
    return isUrl(at(parseObject(value), path)) ? null : description;
  };
}
