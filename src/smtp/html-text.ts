/**
 * Turns HTML into the text that a reader sees, well enough to search for keywords. It is no parser: it builds no tree, so that
 * the work is linear in the length whatever the nesting. Libraries that build one take half a minute for a megabyte of open
 * tags, and pings would wait.
 */
import he from 'he';

/** Elements whose content is not shown. */
const hidden = new Set(['script', 'style', 'title', 'template']);

/** Elements whose content continues the line; every other tag ends a word. */
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
  /** Text that replaces the tag. */
  readonly shows: string;
  /** Offset at which the text continues. */
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

/** Returns the offset behind the `>` that ends the tag; one inside a quoted attribute does not end it. */
function tagEnd(html: string, from: number): number {
  const stop = /[>"']/g;
  stop.lastIndex = from;
  for (let hit = stop.exec(html); hit; hit = stop.exec(html)) {
    if (hit[0] === '>') return stop.lastIndex;
    // A quotation mark that belongs to no attribute, or is never closed, must not hide the rest of the mail.
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

/** Decodes entities. White space in a row counts as one space, as on the screen, and a no-break space as an ordinary one. */
function decode(text: string): string {
  const collapsed = text.replace(/[ \n]+/g, (run) => (run.includes('\n') ? '\n' : ' '));
  return he.decode(collapsed).replaceAll('\u00a0', ' ');
}
