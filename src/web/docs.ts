/**
 * The search of the manual, over all its sections, as one types, and the marker of the section that one reads. The pages
 * themselves are made when Knell is built.
 */
import MiniSearch, { type SearchResult } from 'minisearch';
import { withAddress } from './docs-address.ts';
import { copiedOf } from './docs-copy.ts';
import {
  excerptOf,
  headingRank,
  pageWeights,
  phraseWeight,
  queryOf,
  shownWords,
  wordsOf,
} from './docs-search.ts';

interface Section {
  readonly id: number;
  /** Path relative to the manual. */
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const shownMax = 12;

/** Where this Knell is, as its reader has it: the manual is right below. */
const base = new URL('..', location.href).href.replace(/\/$/, '');

function nameAddress(): void {
  const texts = document.createTreeWalker(element('main', HTMLElement), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    const text = withAddress(node.textContent ?? '', base);
    if (text !== node.textContent) node.textContent = text;
  }
}

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
}

const field = element('manual-search', HTMLInputElement);
const list = element('manual-found', HTMLOListElement);
nameAddress();
let index: Promise<MiniSearch<Section>> | null = null;

/** The index is read only when somebody begins to search: most who come follow a link. */
async function readIndex(): Promise<MiniSearch<Section>> {
  const response = await fetch('./search.json');
  const sections: Section[] = await response.json();
  const search = new MiniSearch<Section>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['path', 'page', 'heading', 'text'],
    tokenize: wordsOf,
    searchOptions: {
      boost: { heading: 3, page: 2 },
      // A short word begins many others, and differs from many by one letter.
      prefix: (word) => word.length > 2,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      boostDocument: (_, __, { path } = {}) => pageWeights[String(path).split('#')[0] ?? ''] ?? 1,
    },
  });
  search.addAll(sections.map((section) => ({ ...section, text: withAddress(section.text, base) })));
  return search;
}

async function show(): Promise<void> {
  const asked = field.value.trim();
  if (asked === '') {
    list.hidden = true;
    return;
  }
  index ??= readIndex();
  const search = await index;
  const all = search.search(queryOf(asked, 'AND'));
  const found = all.length > 0 ? all : search.search(queryOf(asked, 'OR'));
  const results = found
    .map((one) => ({ one, rank: rankOf(asked, one), score: one.score * weightOf(asked, one) }))
    .sort((a, b) => b.rank - a.rank || b.score - a.score)
    .slice(0, shownMax)
    .map(({ one }) => one);
  if (asked !== field.value.trim()) return;
  list.replaceChildren(
    ...(results.length === 0 ? [nothing(asked)] : results.map((result) => entry(result, asked))),
  );
  list.hidden = false;
}

function rankOf(asked: string, { heading, path }: SearchResult): number {
  return headingRank(asked, String(heading), String(path));
}

function weightOf(asked: string, { heading, text, page }: SearchResult): number {
  return phraseWeight(asked, String(heading), String(text), String(page));
}

function nothing(asked: string): HTMLElement {
  const item = document.createElement('li');
  const words = document.createElement('p');
  words.textContent = `Nothing about “${asked}”.`;
  item.append(words);
  return item;
}

function entry(result: SearchResult, asked: string): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = String(result.path);
  link.textContent = String(result.heading);
  const page = document.createElement('small');
  page.textContent = String(result.page);
  const excerpt = document.createElement('small');
  excerpt.className = 'excerpt';
  const text = String(result.text);
  excerpt.textContent = excerptOf(text, shownWords(asked, text, result.terms));
  link.append(page, excerpt);
  item.append(link);
  return item;
}

field.addEventListener('input', () => void show());
field.form?.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') list.hidden = true;
  // The key of the palette, which the other pages have.
  const isPalette = event.key === 'k' && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
  const isTyping = document.activeElement instanceof HTMLInputElement;
  if (!isPalette && (event.key !== '/' || isTyping)) return;
  event.preventDefault();
  field.focus();
});

// Somebody has searched for it in the palette.
const sought = new URLSearchParams(location.search).get('q');
if (sought) {
  field.value = sought;
  void show();
  field.focus();
}

/** Milliseconds for which a button says what it did. */
const saidMs = 2000;

function copyButton(block: HTMLElement): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    // Without TLS browsers give no clipboard but to localhost: it is selected then.
    const copied = await navigator.clipboard?.writeText(copiedOf(block.textContent ?? '')).then(
      () => true,
      () => false,
    );
    if (!copied) getSelection()?.selectAllChildren(block);
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, saidMs);
  });
  return button;
}

for (const block of document.querySelectorAll('main pre')) {
  if (!(block instanceof HTMLElement)) continue;
  const box = document.createElement('div');
  box.className = 'block';
  block.replaceWith(box);
  box.append(block, copyButton(block));
}

// On a phone the pages are above the text: open, they would fill the screen, and on the first page be there twice.
const pages = document.querySelector('details.pages');
if (pages instanceof HTMLDetailsElement) pages.open = matchMedia('(min-width: 801px)').matches;
const outline = document.querySelector('.outline details');
// The outline begins closed where it is above the text: open, it would be in the way.
if (outline instanceof HTMLDetailsElement) outline.open = matchMedia('(min-width: 1200px)').matches;
const places = [...(outline?.querySelectorAll('a') ?? [])].flatMap((link) => {
  const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  return heading ? [{ link, heading }] : [];
});
/** Pixels from the top of the window: what is above this line has been read. */
const readPx = 120;

function markPlace(): void {
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const begun = places.filter(({ heading }) => heading.getBoundingClientRect().top < readPx);
  const current = isAtEnd ? places.at(-1) : begun.at(-1);
  for (const { link } of places) link.removeAttribute('aria-current');
  current?.link.setAttribute('aria-current', 'location');
}

if (places.length > 0) {
  addEventListener('scroll', () => requestAnimationFrame(markPlace), { passive: true });
  markPlace();
}
