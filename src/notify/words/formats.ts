/**
 * Writes a message down, family by family, and shortens it until it fits.
 * Invariant: pure; what is written fits the limit, and shows text of owners and jobs as text.
 */
import type { TextLimit } from '../../integrations/contract/request.ts';
import { headlineCharsMin } from '../contract/limits.ts';
import { escapes } from './escape.ts';
import { cut, type Fact, type Message } from './render.ts';
import { shortened } from './shown-body.ts';

type Writer = (message: Message) => string;

/** The most of `message` that fits: first the body is shortened, to a quarter at most, then facts are left out. */
export function fitted(message: Message, limit: TextLimit, write: Writer): string {
  let text = '';
  for (const shorter of everShorter(message, limit)) {
    text = write(shorter);
    if (sizeOf(text, limit) <= limit.max) return text;
  }
  return text;
}

function* everShorter(message: Message, { bodyCharsMax }: TextLimit): Iterable<Message> {
  for (const terser of everTerser(message)) {
    for (const share of [1, 1 / 2, 1 / 4])
      yield { ...terser, body: shortened(message.body, Math.floor(bodyCharsMax * share)) };
  }
  const headline = cut(message.headline, headlineCharsMin);
  const body = { text: '', cutChars: 0 };
  yield { ...message, headline, body, context: [], othersDown: '', facts: [] };
}

/** The context goes first, then the other checks, then facts from the last one on. */
function* everTerser(message: Message): Iterable<Message> {
  yield message;
  const bare = { ...message, context: [] };
  yield bare;
  for (let count = message.facts.length; count >= 0; count--)
    yield { ...bare, othersDown: '', facts: message.facts.slice(0, count) };
}

function sizeOf(text: string, { unit }: TextLimit): number {
  return unit === 'bytes' ? Buffer.byteLength(text) : text.length;
}

/** The line above the body: whether it is the whole. */
export function bodyLabel({ body }: Message): string {
  if (body.isChosen) return 'Lines of the body';
  return body.cutChars === 0
    ? 'Body'
    : `Last lines of the body (${body.cutChars.toLocaleString('en-US')} characters before them are not shown)`;
}

interface Markup {
  readonly text: (text: string) => string;
  readonly label: (label: string) => string;
  readonly lineBreak: string;
  /** Text between the body and the part behind it. */
  readonly paragraph: string;
  /** The whole body, with what separates it from the rest. */
  readonly body: (label: string, text: string) => string;
  /** Present only if the target has no other place for the link. */
  readonly link?: (url: string, text: string) => string;
  /** Link to acknowledge or snooze, if the target has no buttons for it. */
  readonly act?: ((url: string, text: string) => string) | undefined;
}

function written(markup: Markup, message: Message): string {
  const { headline, facts, othersDown, body, context, link, act } = message;
  const fact = ([label, value]: Fact): string => `${markup.label(label)} ${markup.text(value)}`;
  const lines = [
    markup.text(headline),
    ...(markup.link ? [markup.link(link.url, link.text)] : []),
    ...(markup.act && act ? [markup.act(act.url, act.text)] : []),
    ...facts.map(fact),
    ...(othersDown === '' ? [] : [markup.text(othersDown)]),
  ];
  const shownBody = body.text === '' ? '' : markup.body(bodyLabel(message), body.text);
  const end = context.map(fact).join(' · ');
  const gap = end === '' ? '' : shownBody === '' ? markup.lineBreak : markup.paragraph;
  return lines.join(markup.lineBreak) + shownBody + gap + end;
}

/** The URL is Knell's own: its path has nothing to escape. */
const markdownLink = (url: string, text: string): string => `[${text}](${url})`;
const bold = (label: string): string => `**${label}:**`;
const fenced = (label: string, text: string): string =>
  `\n**${label}:**\n\`\`\`\n${escapes.code(text)}\n\`\`\``;
/** Indented by four: no run of backticks in it can end it. */
const indented = (label: string, text: string): string =>
  `\n\n**${label}:**\n\n${text.replace(/^/gm, '    ')}`;

const plain: Markup = {
  text: escapes.none,
  label: (label) => `${label}:`,
  lineBreak: '\n',
  paragraph: '\n\n',
  body: (label, text) => `\n\n${label}:\n${text}`,
};
const html: Markup = {
  text: (text) => escapes.linkedHtml(text).replaceAll('\n', '<br>'),
  label: (label) => `<b>${escapes.html(label)}:</b>`,
  lineBreak: '<br>',
  paragraph: '',
  body: (label, text) => `<br><b>${escapes.html(label)}:</b><pre><code>${escapes.html(text)}</code></pre>`,
  act: (url, text) => `<a href="${escapes.html(url)}">${escapes.html(text)}</a>`,
};
const chat: Markup = {
  text: escapes.markdown,
  label: bold,
  lineBreak: '\n',
  paragraph: '\n',
  body: fenced,
  act: markdownLink,
};

const markups = {
  /** Plain text. */
  text: plain,
  linkedText: {
    ...plain,
    link: (url: string) => url,
    act: (url: string, text: string) => `${text}: ${url}`,
  },
  /** Discord, Mattermost. */
  chat,
  rocketChat: { ...chat, text: escapes.rocketChat },
  zulip: { ...chat, text: escapes.zulip },
  /** CommonMark in documents, where a line break needs two spaces. */
  document: {
    text: (text: string) => escapes.markdown(text).replaceAll('\n', '  \n'),
    label: bold,
    lineBreak: '  \n',
    paragraph: '\n\n',
    body: indented,
    act: markdownLink,
  },
  slack: {
    text: escapes.mrkdwn,
    label: (label: string) => `*${label}:*`,
    lineBreak: '\n',
    paragraph: '\n',
    body: (label: string, text: string) => `\n*${label}:*\n\`\`\`\n${escapes.mrkdwnCode(text)}\n\`\`\``,
  },
  html,
  /** Google Chat knows neither blocks nor code. */
  googleChat: {
    ...html,
    paragraph: '<br>',
    act: undefined,
    body: (label: string, text: string) =>
      `<br><b>${escapes.html(label)}:</b><br>${escapes.html(text).replaceAll('\n', '<br>')}`,
  },
  telegram: {
    text: escapes.linkedHtml,
    label: (label: string) => `<b>${escapes.html(label)}:</b>`,
    lineBreak: '\n',
    paragraph: '\n',
    body: (label: string, text: string) =>
      `\n<b>${escapes.html(label)}:</b>\n<pre>${escapes.html(text)}</pre>`,
  },
} as const satisfies Record<string, Markup>;

export type Format = keyof typeof markups;

export function isFormat(name: string): name is Format {
  return name in markups;
}

/** `message` as text of that format, as much of it as fits. */
export function formatted(message: Message, format: Format, limit: TextLimit): string {
  return fitted(message, limit, (shorter) => written(markups[format], shorter));
}
