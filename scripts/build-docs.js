// The manual as pages: `src/docs/*.md` in the order of `src/docs/README.md`, those that are made from tables (`generated-docs.js`),
// and what the search looks through. Runs after the compilers, in the built page's folder.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { jsonSchema } from '../dist/apply/format.js';
import { adminApiPage, apiPage, commandsPage, settingsPage } from './generated-docs.js';

const source = fileURLToPath(new URL('../src/docs/', import.meta.url));
const web = fileURLToPath(new URL('../dist/web/', import.meta.url));
const target = join(web, 'docs');

const index = readFileSync(join(source, 'README.md'), 'utf8');
const listed = index.split(/^## /m).flatMap((part) => {
  const [group = ''] = part.split('\n');
  return [...part.matchAll(/^- \[([^\]]+)\]\(([\w-]+)\.md\)/gm)].map(([, title, name]) => ({
    ...{ name, title, group },
    text: readFileSync(join(source, `${name}.md`), 'utf8'),
  }));
});
const unlisted = readdirSync(source)
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .filter((file) => !listed.some(({ name }) => `${name}.md` === file));
if (unlisted.length > 0) throw new Error(`src/docs/README.md does not list ${unlisted.join(', ')}`);
const pages = [
  ...listed,
  { name: 'api-reference', title: 'API reference', text: apiPage() },
  { name: 'admin-api-reference', title: 'Admin API reference', text: adminApiPage() },
  { name: 'settings', title: 'All settings', text: settingsPage() },
  { name: 'command-reference', title: 'All commands', text: commandsPage() },
].map((page) => ({ group: 'Reference', ...page }));
const groups = [...new Set(pages.map(({ group }) => group))];

mkdirSync(target, { recursive: true });
const template = readFileSync(join(web, 'docs.html'), 'utf8').replaceAll(
  /(href|src)="\.?\/assets\//g,
  '$1="../assets/',
);
rmSync(join(web, 'docs.html'));
const sections = [];
write('index', 'The manual', index.replace(/^# .*$/m, '# The manual of Knell'));
for (const { name, title, text } of pages) write(name, title, text);
writeFileSync(join(target, 'search.json'), JSON.stringify(sections));
writeFileSync(join(target, 'configuration.schema.json'), JSON.stringify(jsonSchema(), null, 2));

function write(name, title, text) {
  const { html, headings } = render(text);
  const place = pages.findIndex((page) => page.name === name);
  const onward = [pages[place - 1], pages[place + 1]].map((page) =>
    page && name !== 'index' ? link(page) : '<span></span>',
  );
  const file = template
    .replace('{title}', () => escaped(title))
    .replace('<!-- pages -->', () => groups.map((group) => groupOf(group, name)).join(''))
    .replace('<!-- outline -->', () => outline(headings))
    .replace('</body>', () => `${scriptOf(name)}</body>`)
    .replace('<!-- content -->', () => `${html}<p class="onward">${onward.join('')}</p>`);
  writeFileSync(join(target, `${name}.html`), file);
  addSections(name === 'index' ? './' : name, title, headings, html);
}

/** The pages of a group, in the list of all pages. */
function groupOf(group, current) {
  const own = pages.filter((page) => page.group === group);
  const items = own.map((page) => `<li>${link(page, page.name === current)}</li>`).join('');
  return `<p class="pages-head">${group}</p><ol aria-label="${group}">${items}</ol>`;
}

/** Schedules can be tried on their page. */
function scriptOf(page) {
  if (page !== 'schedules') return '';
  const file = readdirSync(join(web, 'assets')).find((name) => /^docs-schedule-[\w-]+\.js$/.test(name));
  if (file === undefined) throw new Error('the script of the page about schedules was not built');
  return `<script type="module" src="../assets/${file}"></script>`;
}

function link({ name, title }, isCurrent = false) {
  return `<a href="${name}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(title)}</a>`;
}

/** What is on the page, to be gone to; empty where it has too little for that. */
function outline(headings) {
  const parts = headings.filter(({ level }) => level === 2 || level === 3);
  if (parts.length < 2) return '';
  const items = parts.map(
    ({ id, level, text }) =>
      `<li${level === 3 ? ' class="in"' : ''}><a href="#${id}">${escaped(plain(text))}</a></li>`,
  );
  return `<nav class="outline" aria-label="On this page"><details open><summary>On this page</summary><ol>${items.join('')}</ol></details></nav>`;
}

/** Links between the files become links between the pages; headings can be linked to. */
function render(text) {
  const marked = new Marked(gfmHeadingId());
  marked.use({
    walkTokens(token) {
      if (token.type !== 'link') return;
      token.href = token.href.replace(/^(?:\.\/)?README\.md/, './').replace(/^([\w-]+)\.md/, '$1');
    },
  });
  const html = marked.parse(text);
  return {
    headings: getHeadingList(),
    html: html
      .replaceAll(/<(h[23]) id="([^"]+)">(.*?)<\/\1>/g, '<$1 id="$2"><a href="#$2">$3</a></$1>')
      // What scrolls must be reachable by keyboard.
      .replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">')
      // Files of the repository are not here: they are named.
      .replaceAll(
        /<a href="(\.\.\/(?!api\/)[^"]+)">(.*?)<\/a>/g,
        (_, path, words) => `${words} (<code>${inRepository(path)}</code>)`,
      ),
  };
}

function inRepository(path) {
  return new URL(path, 'file:///src/docs/').pathname.slice(1);
}

/** One for each heading: what is between it and the next, which is shown below the heading. */
function addSections(path, page, headings, html) {
  const parts = html.split(/(?=<h[1-6] id=")/);
  for (const { id, text } of headings) {
    const part = parts.find((one) => one.includes(` id="${id}"`)) ?? '';
    const isFirst = headings[0]?.id === id;
    sections.push({
      id: sections.length,
      path: isFirst ? path : `${path}#${id}`,
      page,
      heading: plain(text),
      text: plain(part.replace(/^<(h[1-6]) .*?<\/\1>/s, '')),
    });
  }
}

function plain(html) {
  return (
    html
      // Tags within a line part no words.
      .replaceAll(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
