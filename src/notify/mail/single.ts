/** A mail on its own: in no thread, on no list, with nothing attached. Pure. */
import type { OutgoingMail } from '../wire/send-mail.ts';
import type { MailContent } from './content.ts';
import { htmlOf } from './html.ts';
import { textOf } from './text.ts';

interface Envelope {
  readonly to: string;
  /** The left part of the Message-ID. */
  readonly id: string;
  readonly nowMs: number;
}

type Said = Pick<MailContent, 'subject' | 'project' | 'title' | 'headline' | 'button' | 'footer'>;

export function singleMailOf(said: Said, { to, id, nowMs }: Envelope): OutgoingMail {
  const content: MailContent = {
    ...{ tone: 'test', facts: [], output: null, more: [], others: null },
    ...said,
  };
  return {
    ...{ to, id, subject: content.subject, text: textOf(content), html: htmlOf(content) },
    ...{ thread: null, dateMs: nowMs, list: null, attachment: null },
  };
}
