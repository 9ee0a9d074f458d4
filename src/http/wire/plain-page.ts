/**
 * A page of a sentence or two, perhaps with buttons, for links in mails and alerts: its readers may have no account, and their
 * browsers need no script: the only one keeps a note that was begun.
 * Invariant: texts of others are text, never markup; nothing is loaded; and the address, which is a secret, is sent to no other
 * site.
 */
import { createHash } from 'node:crypto';
import { markedLines } from '../../domain/words/output-lines.ts';
import type { HttpReply } from './message.ts';

export interface PlainPage {
  readonly title: string;
  /** The state that the page is about, which gives it a colour. */
  readonly look?: 'down' | 'late';
  /** A few words above the title: what it belongs to. */
  readonly of?: string;
  /** Why, in a sentence below the title. */
  readonly reason?: string;
  /** What somebody has done about it already, below that. `isSettled`: no choice is the one to press. */
  readonly taken?: { readonly text: string; readonly isSettled: boolean };
  readonly text: string;
  /** What people said about it: who, and what. */
  readonly notes?: readonly PlainItem[];
  /** What the page is about, one by one: a name and a sentence or two of each. */
  readonly items?: readonly PlainItem[];
  /** Items that are not named. */
  readonly more?: number;
  /** Output of a job that failed: its lines that speak of an error are bold. */
  readonly output?: string;
  /** Label of a button that sends the page's own address again, as POST. */
  readonly button?: string;
  /** Several buttons: the form sends `do=` and the one that was pressed. The first one is the most likely. */
  readonly choices?: readonly PlainChoice[];
  /**
   * A line of text that the form sends as `note=`, beside its choices, and a button that sends the note by itself: the Enter key
   * presses that one.
   */
  readonly note?: PlainNote;
  readonly link?: PlainLink;
  /** A link before the output: what to do about it. */
  readonly runbook?: PlainLink;
}

export interface PlainNote {
  readonly label: string;
  readonly charsMax: number;
  readonly choice: PlainChoice;
  /** What is wrong with what was sent in it. */
  readonly error?: string;
}

export interface PlainLink {
  readonly text: string;
  readonly url: string;
}

export interface PlainItem {
  readonly name: string;
  readonly text: string;
}

export interface PlainChoice {
  readonly text: string;
  readonly does: string;
  /** Nothing that one should do: it looks so, also where it is the only one. */
  readonly isQuiet?: boolean;
}

const style = `
:root{color-scheme:light dark;--canvas:#f6f7f9;--surface:#fff;--line:#e2e6eb;--text:#161b22;--text-2:#454e5c;--accent:#3d4fc4;--on-accent:#fff;--down:#bf2330;--late:#8f5400}
@media (prefers-color-scheme:dark){:root{--canvas:#0d1015;--surface:#14181f;--line:#242b35;--text:#e8ebf0;--text-2:#b1bac7;--accent:#98a5ff;--on-accent:#12152b;--down:#ff8087;--late:#eeb04a}}
body{margin:0;padding:24px 16px;background:var(--canvas);color:var(--text);font:14px/20px -apple-system,"Segoe UI",Inter,Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;overflow-wrap:anywhere}
main{box-sizing:border-box;max-width:480px;margin:0 auto;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:10px}
h1{margin:0 0 8px;font-size:20px;line-height:28px}
p{margin:0}
.down,.late{border-top-width:4px}
.down{border-top-color:var(--down)}
.late{border-top-color:var(--late)}
.down h1{color:var(--down)}
.late h1{color:var(--late)}
.of{margin:0 0 4px;color:var(--text-2)}
.reason{margin:0 0 4px;font-weight:600}
.taken{margin:8px 0;padding:8px 12px;border:1px solid var(--line);border-radius:6px;background:var(--canvas);font-weight:600}
.done>button{border:1px solid #858f9e;background:var(--surface);color:var(--text)}
ul{margin:12px 0 0;padding:0;list-style:none}
li{padding:8px 0;border-top:1px solid var(--line)}
li span{display:block;color:var(--text-2)}
pre{margin:16px 0 0;padding:12px;border:1px solid var(--line);border-radius:6px;background:var(--canvas);font:12px/18px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre-wrap}
a{display:inline-block;margin-top:20px;color:var(--accent);text-decoration:none}
a+a{margin-left:20px}
a:hover{text-decoration:underline}
.choices{display:grid;grid-template-columns:1fr 1fr;gap:8px;margin-top:20px}
.choices button{margin:0;padding:6px 8px}
.note,.choices .quiet,.choices>button:not(.quiet):first-of-type:nth-last-child(odd of button:not(.quiet)){grid-column:1/-1}
.note{display:flex;flex-wrap:wrap;align-items:end;gap:8px}
.note label{flex:1 0 100%;margin-bottom:-4px}
.note input{flex:999 1 150px;width:0}
.note .wrong{flex:1 0 100%;color:var(--down)}
.note [aria-invalid]{border-color:var(--down)}
.choices .note button{flex:1 0 auto;padding:0 16px}
input{box-sizing:border-box;width:100%;min-height:40px;padding:0 12px;border:1px solid #858f9e;border-radius:6px;background:var(--canvas);color:var(--text);font:inherit}
input:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
button+button,.note button,.choices .quiet{border:1px solid #858f9e;background:var(--surface);color:var(--text)}
button{margin-top:20px;min-height:40px;padding:0 20px;border:0;border-radius:6px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:767px){button,input{min-height:48px}a{margin-top:6px;padding:14px 0}}
`;

/**
 * Keeps a note while its writer looks elsewhere and comes back, in the memory of this tab, until it has arrived: the page after that has
 * `noted` in its address. Browsers forget what was typed on a page that may not be stored.
 */
const script = `try{const k='knell-note '+location.pathname,s=sessionStorage,f=document.getElementById('note');
if(new URLSearchParams(location.search).has('noted'))s.removeItem(k);
if(f){f.value||=s.getItem(k)||'';f.oninput=()=>s.setItem(k,f.value)}}catch{}`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
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

export function plainPage(status: number, page: PlainPage, more: HttpReply['headers'] = []): HttpReply {
  const { title, look, of, reason, taken, text, output, link, runbook } = page;
  // The buttons come before it, since long lines would push them off the screen.
  const printed = output === undefined ? '' : `<pre>${outputLines(output)}</pre>`;
  const away = link === undefined ? '' : linkOf(link);
  const help = runbook === undefined ? '' : linkOf(runbook);
  const above = of === undefined ? '' : `<p class="of">${escaped(of)}</p>`;
  const why = reason === undefined ? '' : `<p class="reason">${escaped(reason)}</p>`;
  const done = taken === undefined ? '' : `<p class="taken">${escaped(taken.text)}</p>`;
  const body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${escaped(title)} – Knell</title><style>${style}</style></head>` +
    `<body><main${look === undefined ? '' : ` class="${look}"`}>${above}<h1>${escaped(title)}</h1>${why}${done}<p>${escaped(text)}</p>` +
    `${notesOf(page)}${itemsOf(page)}${formOf(page)}${help}${printed}${away}</main><script>${script}</script></body></html>`;
  return { status, headers: [...headers, ...more], body };
}

function outputLines(output: string): string {
  return markedLines(output)
    .map(({ text, isError }) => (isError ? `<b>${escaped(text)}</b>` : escaped(text)))
    .join('\n');
}

function linkOf({ text, url }: PlainLink): string {
  return `<a href="${escaped(url)}">${escaped(text)}</a>`;
}

function notesOf({ notes = [] }: PlainPage): string {
  return notes.length === 0 ? '' : `<ul class="notes">${notes.map(itemOf).join('')}</ul>`;
}

function itemOf({ name, text }: PlainItem): string {
  return `<li><strong>${escaped(name)}</strong><span>${escaped(text)}</span></li>`;
}

function itemsOf({ items = [], more = 0 }: PlainPage): string {
  const lines = items.map(itemOf);
  if (more > 0) lines.push(`<li><span>and ${more.toLocaleString('en-US')} more</span></li>`);
  return lines.length === 0 ? '' : `<ul>${lines.join('')}</ul>`;
}

function formOf({ button, note, taken, choices = [] }: PlainPage): string {
  if (button !== undefined)
    return `<form method="post"><button type="submit">${escaped(button)}</button></form>`;
  const buttons = choices.map(buttonOf);
  if (buttons.length === 0) return '';
  return `<form method="post" class="choices${taken?.isSettled ? ' done' : ''}">${note === undefined ? '' : noteField(note)}${buttons.join('')}</form>`;
}

function noteField({ label, charsMax, choice, error }: PlainNote): string {
  const wrong = error === undefined ? '' : ' aria-invalid="true" aria-describedby="wrong" autofocus';
  const field = `<label for="note">${escaped(label)}</label><input id="note" name="note" maxlength="${charsMax}" autocomplete="off"${wrong}>`;
  const why = error === undefined ? '' : `<p class="wrong" id="wrong" role="alert">${escaped(error)}</p>`;
  return `<div class="note">${field}${buttonOf(choice)}${why}</div>`;
}

function buttonOf({ text, does, isQuiet = false }: PlainChoice): string {
  return `<button type="submit" name="do" value="${escaped(does)}"${isQuiet ? ' class="quiet"' : ''}>${escaped(text)}</button>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
