/**
 * Email: plain text and HTML, with what the job printed last and how long it was down.
 */
import { channelFields } from '../../domain/channel-value.ts';
import type { Notice, Send } from '../channel.ts';
import { escapes } from '../escape.ts';
import { cut, factsOf, linesOf } from '../render.ts';
import type { MailClient, OutgoingMail } from '../send-mail.ts';

/** The whole of a ping's body may be 100 kB; a mail shows its beginning and says so. */
const bodyCharsShown = 10_000;

export function emailSender(client: MailClient | null): Send {
  return async (notice) => {
    if (client === null) return { kind: 'refused', error: 'email needs KNELL_MAIL_URL to be set' };
    return client.send(mailOf(notice));
  };
}

export function mailOf(notice: Notice): OutgoingMail {
  const { value } = channelFields('email', notice.channel.value);
  return {
    to: String(value),
    subject: factsOf(notice).title,
    text: textOf(notice),
    html: htmlOf(notice),
    id: notice.deliveryId,
  };
}

function textOf(notice: Notice): string {
  const { title, text } = factsOf(notice);
  const body = notice.body === '' ? '' : `\n\nBody of the last ping:\n\n${cut(notice.body, bodyCharsShown)}`;
  return `${title}\n\n${text}${body}\n\n-- \nKnell, ${notice.baseUrl}\n`;
}

const colours = { down: '#b3261e', up: '#2e7d32', late: '#b26a00' } as const;

function htmlOf(notice: Notice): string {
  const { html } = escapes;
  const rows = linesOf(notice).map(([label, value]) =>
    label === ''
      ? `<tr><td colspan="2">${html(value)}</td></tr>`
      : `<tr><td style="color:#666;padding-right:1em">${html(label)}</td><td>${html(value)}</td></tr>`,
  );
  const body =
    notice.body === ''
      ? ''
      : `<p>Body of the last ping:</p><pre style="white-space:pre-wrap">${html(cut(notice.body, bodyCharsShown))}</pre>`;
  return (
    `<!doctype html><html><body style="font-family:sans-serif">` +
    `<h2 style="color:${colours[notice.notificationKind]}">${html(factsOf(notice).title)}</h2>` +
    `<table>${rows.join('')}</table>${body}` +
    `<p style="color:#666">Knell, ${html(notice.baseUrl)}</p></body></html>`
  );
}
