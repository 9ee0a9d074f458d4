/**
 * How a target wants plain text written, so that it shows as it is: nothing in a check's name or a ping's body becomes
 * markup, a link or a call to everybody.
 * Invariant: pure; every target gives back the plain text when it shows the escaped one.
 */

/** Breaks up what would call people, without changing what one sees. */
const zeroWidthSpace = '\u200b';

export const escapes = {
  /** XML and HTML, quotes too: good for attributes. */
  html: (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`),
  /** Slack: its three control characters; `<!channel>` and links are made of them. */
  mrkdwn: (text: string) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replace(/[*_~`]/g, `$&${zeroWidthSpace}`),
  /** Telegram MarkdownV2: every character that it may take for markup. */
  markdownV2: (text: string) => text.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&'),
  /** The Markdown of chats (Discord, Mattermost, Rocket.Chat, Zulip, Gotify). */
  markdown: (text: string) =>
    text.replace(/[\\`*_{}[\]()<>#~|]/g, '\\$&').replaceAll('@', `@${zeroWidthSpace}`),
  /** One part of an address. */
  url: (text: string) => encodeURIComponent(text),
  /** The inside of a JSON string. */
  json: (text: string) => JSON.stringify(text).slice(1, -1),
  none: (text: string) => text,
} as const satisfies Record<string, (text: string) => string>;

export type Escape = keyof typeof escapes;

export function isEscape(name: string): name is Escape {
  return name in escapes;
}
