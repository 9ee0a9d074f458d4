/** The documents: short enough, naming only what is there, with links that work. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { settings } from '../src/config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

describe('the documents', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const manual = readdirSync(join(src, 'docs')).map((name) => `src/docs/${name}`);

  test.each([
    ['README.md', 120],
    ['src/README.md', 150],
  ] as const)('%s has at most %i lines', (path, linesMax) => {
    expect(read(path).trimEnd().split('\n').length).toBeLessThanOrEqual(linesMax);
  });

  test('src/README.md names only files that exist, from src/ or from the top', () => {
    const folders = [src, root].flatMap((base) =>
      readdirSync(base, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [`${entry.name}/`] : [],
      ),
    );
    const names = [...read('src/README.md').matchAll(/`([\w.-]+(?:\/[\w.-]*)*)`/g)].map(
      ([, name = '']) => name,
    );
    const paths = names.filter(
      (name) => folders.some((folder) => name.startsWith(folder)) || /\.(?:tsx?|js|md)$/.test(name),
    );
    const isThere = (path: string): boolean => [src, root].some((base) => existsSync(join(base, path)));
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => path !== 'uWebSockets.js' && !isThere(path))).toEqual([]);
  });

  test('src/docs/configuration.md has every variable, and no other', () => {
    // Beside the example of a secret in a file, and the secret of a command that may come so too.
    const text = read('src/docs/configuration.md').replaceAll(/KNELL_MAIL_URL_FILE|KNELL_HC_SECRET_KEY/g, '');
    const documented = new Set(text.match(/\bKNELL_[A-Z_]*[A-Z]/g));
    const known = Object.values(settings).map(({ variable }) => variable);
    expect([...documented].sort()).toEqual([...known].sort());
  });

  test.each(['README.md', ...manual])('%s links only to files and sections that exist', (path) => {
    const dead = linksOf(read(path)).filter((link) => {
      const [file = '', section] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      return section !== undefined && !sectionsOf(read(target)).includes(section);
    });
    expect(dead).toEqual([]);
  });

  test.each(manual)('%s is Markdown without HTML', (path) => {
    expect(path).toMatch(/\.md$/);
    expect(proseOf(read(path))).not.toMatch(/<\/?[a-z!]/i);
  });
});

/** Without code. */
function proseOf(markdown: string): string {
  return markdown.replace(/^ {4}.*$/gm, '').replace(/`[^`\n]*`/g, '');
}

/** Those of links and pictures to files of the repository. */
function linksOf(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/\]\(([^)]+)\)/g)].flatMap(([, link = '']) =>
    /^[a-z]+:/.test(link) ? [] : [link],
  );
}

/** What a heading is called in an address. */
function sectionsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}
