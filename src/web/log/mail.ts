/**
 * This file reads a mail to show its subject, its text and its HTML. Only this file touches `postal-mime`; it is a chunk of its
 * own that is loaded when the first mail is opened.
 * Invariant: pure; whatever the mail says comes out as text, never as markup.
 */
import PostalMime from 'postal-mime';

export interface ReadMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Limits of parts within parts and of bytes of headers: real mail stays far below them. */
const maxNestingDepth = 32;
const maxHeadersSize = 1_000_000;

/** Reads a mail. Null for what no mail program writes (nested too deeply, megabytes of headers): it can only be shown raw. */
export async function readMail(bytes: ArrayBuffer | Uint8Array): Promise<ReadMail | null> {
  try {
    const mail = await PostalMime.parse(bytes, { maxNestingDepth, maxHeadersSize });
    return { subject: mail.subject ?? '', text: mail.text ?? '', html: mail.html ?? '' };
  } catch {
    return null;
  }
}
