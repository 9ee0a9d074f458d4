/**
 * Reads a mail for showing: its text and its HTML, as far as they can be read. Not an archive's reader: what is odd is
 * shown raw. Invariant: pure; whatever the mail says comes out as text, never as markup.
 */
export interface ReadMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const depthMax = 8;

/** `raw`: one character a byte (latin1). */
export function readMail(raw: string): ReadMail {
  const mail = { subject: '', text: '', html: '' };
  const { headers } = split(raw);
  mail.subject = words(headers.get('subject') ?? '');
  collect(raw, mail, 0);
  return mail;
}

function collect(raw: string, into: { text: string; html: string }, depth: number): void {
  const { headers, body } = split(raw);
  const type = headers.get('content-type') ?? 'text/plain';
  const [, boundary = ''] = /boundary="?([^";]+)"?/i.exec(type) ?? [];
  if (/^multipart\//i.test(type) && boundary !== '' && depth < depthMax) {
    for (const part of body.split(`--${boundary}`).slice(1)) {
      if (!part.startsWith('--')) collect(part.replace(/^\r?\n/, ''), into, depth + 1);
    }
    return;
  }
  const [, charset = 'utf-8'] = /charset="?([^";\s]+)"?/i.exec(type) ?? [];
  const shown = decoded(transferred(body, headers.get('content-transfer-encoding') ?? ''), charset);
  if (/^text\/html/i.test(type)) into.html ||= shown;
  else if (/^text\//i.test(type)) into.text ||= shown;
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const end = /\r?\n\r?\n/.exec(raw);
  const head = end ? raw.slice(0, end.index) : raw;
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return { headers, body: end ? raw.slice(end.index + end[0].length) : '' };
}

function transferred(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return fromBase64(body);
  return /quoted-printable/i.test(encoding) ? fromQuoted(body.replace(/=\r?\n/g, '')) : body;
}

function fromQuoted(text: string): string {
  return text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function fromBase64(text: string): string {
  try {
    return atob(text.replace(/[^a-z0-9+/]/gi, ''));
  } catch {
    return text;
  }
}

function decoded(bytes: string, charset: string): string {
  const array = Uint8Array.from(bytes, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder(charset).decode(array);
  } catch {
    return new TextDecoder().decode(array);
  }
}

/** Encoded words of a header (RFC 2047). */
function words(header: string): string {
  return header.replace(
    /=\?([^?]+)\?([bq])\?([^?]*)\?=(\s+(?==\?))?/gi,
    (_, charset: string, how: string, text: string) =>
      decoded(how.toLowerCase() === 'b' ? fromBase64(text) : fromQuoted(text.replaceAll('_', ' ')), charset),
  );
}
