/**
 * A page of one sentence and perhaps one button, for links in mails: its readers may have no account, and their browsers need
 * no script.
 * Invariant: what others call things is text, never markup; nothing is loaded, and the address, which is a secret, is sent to
 * no other site.
 */
import { createHash } from 'node:crypto';
import type { HttpReply } from './message.ts';

export interface PlainPage {
  readonly title: string;
  readonly text: string;
  /** Sends the page's own address again, as POST. */
  readonly button?: string;
}

const style = `
:root{color-scheme:light dark;--canvas:#f6f7f9;--surface:#fff;--line:#e2e6eb;--text:#161b22;--accent:#3d4fc4;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--canvas:#0d1015;--surface:#14181f;--line:#242b35;--text:#e8ebf0;--accent:#98a5ff;--on-accent:#12152b}}
body{margin:0;padding:24px 16px;background:var(--canvas);color:var(--text);font:14px/20px -apple-system,"Segoe UI",Inter,Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;overflow-wrap:anywhere}
main{box-sizing:border-box;max-width:480px;margin:0 auto;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:10px}
h1{margin:0 0 8px;font-size:20px;line-height:28px}
p{margin:0}
button{margin-top:20px;min-height:40px;padding:0 20px;border:0;border-radius:6px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const headers: HttpReply['headers'] = [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', policy],
];

export function plainPage(
  status: number,
  { title, text, button }: PlainPage,
  more: HttpReply['headers'] = [],
): HttpReply {
  const form =
    button === undefined
      ? ''
      : `<form method="post"><button type="submit">${escaped(button)}</button></form>`;
  const body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${escaped(title)} – Knell</title><style>${style}</style></head>` +
    `<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form}</main></body></html>`;
  return { status, headers: [...headers, ...more], body };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
