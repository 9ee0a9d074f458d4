/**
 * HTML as the text a reader sees, good enough to look for keywords in. Not a parser: no tree is built, so that the
 * work is linear in the length whatever the nesting (the libraries that do build one take half a minute over a
 * megabyte of open tags, and the pings wait).
 */
import he from 'he';

/** Their content is not shown. */
const hidden = new Set(['script', 'style', 'title', 'template']);

/** Their content runs on in the line; every other tag ends a word. */
const inline = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
);

export function htmlText(html: string): string {
  const shown: string[] = [];
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    const textEnd = open < 0 ? html.length : open;
    // A line break in the source is a space on the screen.
    if (textEnd > at) shown.push(html.slice(at, textEnd).replace(/[\t\r\n\f]/g, ' '));
    if (open < 0) break;
    const tag = readTag(html, open);
    shown.push(tag.shows);
    at = tag.end;
  }
  return decode(shown.join(''));
}

interface Tag {
  /** Text that the tag itself is replaced by. */
  readonly shows: string;
  /** Offset at which the text goes on. */
  readonly end: number;
}

const tagName = /[a-z][a-z0-9:-]*/iy;

function readTag(html: string, open: number): Tag {
  const next = html.charAt(open + 1);
  if (next === '!' || next === '?') {
    const isComment = html.startsWith('<!--', open);
    return { shows: '', end: isComment ? after(html, '-->', open + 4) : after(html, '>', open) };
  }
  const closes = next === '/';
  tagName.lastIndex = open + (closes ? 2 : 1);
  const name = tagName.exec(html)?.[0].toLowerCase();
  if (name === undefined) return { shows: '<', end: open + 1 };
  const end = tagEnd(html, tagName.lastIndex);
  if (hidden.has(name) && !closes) return { shows: '\n', end: endOfHidden(html, name, end) };
  if (inline.has(name)) return { shows: '', end };
  return { shows: name === 'td' || name === 'th' ? ' ' : '\n', end };
}

/** Past the `>` that ends the tag; one inside a quoted attribute does not. */
function tagEnd(html: string, from: number): number {
  const stop = /[>"']/g;
  stop.lastIndex = from;
  for (let hit = stop.exec(html); hit; hit = stop.exec(html)) {
    if (hit[0] === '>') return stop.lastIndex;
    // A quotation mark that is no attribute's, or never closed, must not swallow the rest of the mail.
    const closing = html.charAt(hit.index - 1) === '=' ? html.indexOf(hit[0], stop.lastIndex) : -1;
    if (closing >= 0) stop.lastIndex = closing + 1;
  }
  return html.length;
}

function endOfHidden(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}\\b`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html) ? after(html, '>', closing.lastIndex) : html.length;
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

/** Runs of white space are one, as on the screen; a space that must not break looks like any other. */
function decode(text: string): string {
  const collapsed = text.replace(/[ \n]+/g, (run) => (run.includes('\n') ? '\n' : ' '));
  return he.decode(collapsed).replaceAll('\u00a0', ' ');
}
