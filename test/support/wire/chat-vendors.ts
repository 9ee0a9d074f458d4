/**
 * Discord, Slack, Telegram and ntfy, as far as the buttons of an alert go: what each refuses, and what of a message it shows.
 * Written down from the vendors' documents, not from Knell's templates.
 */
import type { Json } from '../knell.ts';

/** A button of a message, as its reader has it. */
export interface Button {
  readonly text: string;
  /** What a browser opens, or what the vendor's app sends to. */
  readonly url: string;
  /** Null where it is a link. */
  readonly sends: { readonly method: string; readonly body: string } | null;
}

export interface ChatVendor {
  /** Where the rules are. */
  readonly documents: string;
  /** The buttons that it shows of a message. Throws what it answers with 400. */
  shown(path: string, message: Json): readonly Button[];
}

function must(isTrue: boolean, refusal: string): void {
  if (!isTrue) throw new Error(refusal);
}

const isText = (value: unknown, charsMax: number): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= charsMax;

/** An address that a browser opens. */
const isWeb = (value: unknown, charsMax: number): boolean =>
  isText(value, charsMax) && URL.canParse(String(value)) && /^https?:/.test(String(value));

function onlyFields(value: Json, allowed: readonly string[]): void {
  for (const name of Object.keys(value)) must(allowed.includes(name), `unknown field ${name}`);
}

const link = (text: string, url: string): Button => ({ text, url, sends: null });

/** Action rows (1) of buttons (2). A webhook that no application owns has link buttons (5) only, which report to nobody. */
const discord: ChatVendor = {
  documents:
    'https://docs.discord.com/developers/resources/webhook#execute-webhook and /developers/components/reference#button',
  shown(path, { content, embeds = [], components = [] }) {
    must(Boolean(content) || embeds.length > 0, '50006: Cannot send an empty message');
    // Without the parameter they are ignored: https://github.com/discord/discord-api-docs/pull/7368
    if (new URL(path, 'http://localhost').searchParams.get('with_components') !== 'true') return [];
    must(components.length <= 5, '50035: BASE_TYPE_BAD_LENGTH components');
    return components.flatMap((row: Json) => {
      must(row.type === 1, '50035: components.0.type');
      must(row.components.length >= 1 && row.components.length <= 5, '50035: BASE_TYPE_BAD_LENGTH');
      onlyFields(row, ['type', 'id', 'components']);
      return row.components.map((button: Json) => {
        must(button.type === 2 && button.style === 5, '50035: only link buttons in this webhook');
        must(!('custom_id' in button), '50035: a custom id and url cannot both be specified');
        must(isText(button.label, 80), '50035: label');
        must(isWeb(button.url, 512), '50035: url');
        onlyFields(button, ['type', 'id', 'style', 'label', 'emoji', 'url', 'disabled']);
        return link(button.label, button.url);
      });
    });
  },
};

/** Of an attachment, not of a block: there a button that is a link needs neither a callback nor a name. */
const slack: ChatVendor = {
  documents: 'https://docs.slack.dev/legacy/legacy-messaging/legacy-message-buttons',
  shown(_, { text, attachments = [] }) {
    must(Boolean(text) || attachments.length > 0, 'no_text');
    must(attachments.length <= 100, 'too_many_attachments');
    return attachments.flatMap(({ fallback, actions = [] }: Json) => {
      must(isText(fallback, 3000), 'invalid_attachments');
      must(actions.length <= 5, 'invalid_attachments');
      return actions.map((action: Json) => {
        must(action.type === 'button', 'invalid_attachments');
        must(isText(action.text, 75) && isWeb(action.url, 3000), 'invalid_attachments');
        must(['default', 'primary', 'danger', undefined].includes(action.style), 'invalid_attachments');
        return link(action.text, action.url);
      });
    });
  },
};

/** Every button has a text and does exactly one thing. An address without a dot is none to Telegram. */
const telegram: ChatVendor = {
  documents: 'https://core.telegram.org/bots/api#inlinekeyboardbutton',
  shown(path, { chat_id, text, reply_markup }) {
    must(/^\/bot[^/]+\/sendMessage$/.test(path), 'Not Found');
    must(chat_id !== undefined, 'Bad Request: chat_id is empty');
    must(isText(text, 4096 * 2), 'Bad Request: message text is empty');
    if (reply_markup === undefined) return [];
    onlyFields(reply_markup, ['inline_keyboard']);
    return reply_markup.inline_keyboard.flat().map((button: Json) => {
      must(isText(button.text, 64), 'Bad Request: text buttons are unallowed in the inline keyboard');
      must(Object.keys(button).length === 2, 'Bad Request: BUTTON_TYPE_INVALID');
      must(isWeb(button.url, 2048) && new URL(button.url).hostname.includes('.'), 'BUTTON_URL_INVALID');
      return link(button.text, button.url);
    });
  },
};

/** Its app opens an address (`view`), or sends a request itself (`http`). Others are for programs on the phone. */
const ntfy: ChatVendor = {
  documents: 'https://docs.ntfy.sh/publish/#action-buttons and server/actions.go of binwiederhier/ntfy',
  shown(_, { topic, message, actions = [] }) {
    must(/^[-_A-Za-z0-9]{1,64}$/.test(topic), '40009: topic invalid');
    must(Buffer.byteLength(message) <= 4096, 'the message became an attachment');
    must(actions.length <= 3, '40018: only 3 actions allowed');
    return actions.map(({ action, label, url, method = 'POST', body = '', ...others }: Json) => {
      must(action === 'view' || action === 'http', `40018: action '${action}' unknown`);
      must(isText(label, 64), "40018: parameter 'label' is required");
      must(isWeb(url, 2048), `40018: parameter 'url' is required for action '${action}'`);
      must(!(/^(?:GET|HEAD)$/.test(method) && body !== ''), "40018: parameter 'body' cannot be set");
      onlyFields(others, ['clear', 'headers']);
      return { ...link(label, url), sends: action === 'http' ? { method, body } : null };
    });
  },
};

export const chatVendors = { discord, slack, telegram, ntfy };
