/**
 * Reads the decoded subject and texts of a message. The one file that touches mailparser.
 * Parts of the library take a time that grows with the square of the input; therefore it runs on a thread of its own
 * (`mail-reader`).
 * Invariant: never rejects. What cannot be read has no subject and no text, so that no keyword matches.
 */
import { type AttachmentStream, type Headers, MailParser, type MessageText } from 'mailparser';
import { htmlText } from './html-text.ts';
import { type MailText, unreadableMail } from './mail-text.ts';

// The library's own conversions are slow, and they capitalize headings and wrap lines, which would hide a keyword.
const options = { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true, skipImageLinks: true };

export function readMail(message: Uint8Array): Promise<MailText> {
  return new Promise((resolve) => {
    const parser = new MailParser(options);
    const giveUp = (): void => resolve(unreadableMail);
    let subject = '';
    let texts: readonly string[] = [];
    parser.on('headers', (headers: Headers) => {
      const value = headers.get('subject');
      if (typeof value === 'string') subject = value;
    });
    parser.on('data', (part: AttachmentStream | MessageText) => {
      if (part.type === 'attachment') skip(part, giveUp);
      else texts = textsOf(part);
    });
    parser.on('error', giveUp);
    parser.once('end', () => resolve({ subject, texts }));
    parser.end(message);
  });
}

/** Reads an attachment and drops it: until then the parser waits. */
function skip({ content, release }: AttachmentStream, failed: () => void): void {
  content.on('error', failed);
  content.on('data', () => {});
  release();
}

function textsOf({ text, html }: MessageText): string[] {
  const texts = text ? [text] : [];
  return typeof html === 'string' ? [...texts, htmlText(html)] : texts;
}
