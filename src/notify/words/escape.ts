/**
 * Escapes plain text for each target, so that it shows as it is: nothing in a check's name or a ping's body becomes markup or a
 * call to everybody. URLs stay URLs: a link to the runbook is what a description is for.
 * Invariant: pure; every target gives back the plain text when it shows the escaped one, and links to the URLs as they are.
 */

/** Breaks up what would call people, without changing what one sees. */
const zeroWidthSpace = '\u200b';

/** Quotes, brackets and white space end a URL; so does what no URL contains unescaped. */
const urls = /\bhttps?:\/\/[^\s<>"`\\^{}|\p{Cc}]+/giu;
/** At a URL's end these belong to the sentence around it. */
const sentenceEnd = /[.,:;!?'*_~]+$/;

export interface TextPart {
  readonly text: string;
  readonly isUrl: boolean;
}

/** The URLs of a text and what is between them, in order. */
export function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(urls)) {
    const url = withoutSentence(match[0]);
    if (!URL.canParse(url)) continue;
    parts.push({ text: text.slice(from, match.index), isUrl: false }, { text: url, isUrl: true });
    from = match.index + url.length;
  }
  parts.push({ text: text.slice(from), isUrl: false });
  return parts.filter((part) => part.text !== '');
}

/** `text`, its URLs written by `url`, all between them by `plain`. */
function withUrls(
  text: string,
  plain: (text: string) => string,
  url: (url: string, between: { readonly before: string; readonly next: string }) => string,
): string {
  const parts = textParts(text);
  return parts
    .map((part, index) => {
      const [before, next] = [parts[index - 1]?.text.at(-1) ?? '', parts[index + 1]?.text[0] ?? ''];
      return part.isUrl ? url(part.text, { before, next }) : plain(part.text);
    })
    .join('');
}

/** Drops the punctuation of the sentence, and brackets that are not opened within the URL. */
function withoutSentence(url: string): string {
  let kept = url;
  for (;;) {
    const shorter = withoutBracket(kept.replace(sentenceEnd, ''));
    if (shorter === kept) return kept;
    kept = shorter;
  }
}

function withoutBracket(url: string): string {
  for (const [open, close] of ['()', '[]'] as const) {
    if (open && close && url.endsWith(close) && count(url, close) > count(url, open)) return url.slice(0, -1);
  }
  return url;
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

const html = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const slackEntities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** No fence ends in it, and nobody is called. */
const code = (text: string): string =>
  text.replace(/`(?=`)/g, `$&${zeroWidthSpace}`).replaceAll('@', `@${zeroWidthSpace}`);

const plainMrkdwn = (text: string): string => slackEntities(text).replace(/[*_~`]/g, `$&${zeroWidthSpace}`);

/** Characters that are markup anywhere, then those that are only at the start of a line: lists, rules, underlines. */
const plainMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]()<>#~|]/g, '\\$&')
    .replaceAll('@', `@${zeroWidthSpace}`)
    .replace(/^([ \t]*)(?=[-+]\s|[-=][-= \t]*$)/gm, '$1\\')
    .replace(/^([ \t]*\d+)(?=\.(?:\s|$))/gm, '$1\\');

/** Rocket.Chat shows a backslash before any other character. */
const plainRocketChat = (text: string): string =>
  text
    .replace(/[*_~`#]/g, '\\$&')
    .replace(/[@<|\]]/g, `$&${zeroWidthSpace}`)
    .replace(/^([ \t]*)(?=[-+>]|\d+\.)/gm, `$1${zeroWidthSpace}`);

/** Zulip has no backslashes; it takes character references before anything else. */
const plainZulip = (text: string): string =>
  text.replace(/[&*~`[\]<>$#@|]|:(?=[\w+-]+:)|^[ \t]*[-+]|^[ \t]*\d+\./gm, (markup) => {
    const last = markup.length - 1;
    return `${markup.slice(0, last)}&#${markup.charCodeAt(last)};`;
  });

/** A vendor that finds URLs by itself looks for them between spaces, and might take what follows one for a part of it. */
const bareUrl = (url: string, { before, next }: { readonly before: string; readonly next: string }): string =>
  [before, next].map((beside) => (/^\s?$/.test(beside) ? '' : ' ')).join(url);

export const escapes = {
  /** XML and HTML, quotes too: good for attributes. URLs are not links. */
  html,
  /** HTML in which URLs are links. */
  linkedHtml: (text: string) => withUrls(text, html, (url) => `<a href="${html(url)}">${html(url)}</a>`),
  /** Slack: its three control characters; `<!channel>` and links are made of them. */
  mrkdwn: (text: string) => withUrls(text, plainMrkdwn, (url) => `<${slackEntities(url)}>`),
  /** Inside a code block of Slack's. */
  mrkdwnCode: (text: string) => slackEntities(code(text)),
  /** CommonMark and what Discord and Mattermost made of it: in angle brackets a URL is taken as it is. */
  markdown: (text: string) => withUrls(text, plainMarkdown, (url) => `<${url}>`),
  rocketChat: (text: string) => withUrls(text, plainRocketChat, bareUrl),
  zulip: (text: string) => withUrls(text, plainZulip, bareUrl),
  /** Inside a fenced code block. */
  code,
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
