/** The house rule on words as a test: names, comments and documents use those of the field (`banned-words`). */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allowedWords, bannedPhrases, bannedWords } from './banned-words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Not what others have written, nor what a program writes. */
const skipped = /\/(?:vectors|golden|data-dirs|results|output)\/|RESULTS\.md$/;

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:[jt]sx?|md|css)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !skipped.test(path));
}

/** `projectShelf` and `project-shelf` are the words project and shelf. */
function wordsOf(line: string): string[] {
  return (line.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

function isAllowed(path: string, word: string): boolean {
  return allowedWords.some(([file, allowed]) => file.test(path) && (allowed === '*' || allowed === word));
}

/** What is wrong with the words of a text, a line each: where, which word, which instead. */
function faultsOf(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, at) => {
    const words = wordsOf(line).filter((word) => Object.hasOwn(bannedWords, word) && !isAllowed(path, word));
    const phrases = bannedPhrases.filter(([phrase]) => phrase.test(line) && !isAllowed(path, '*'));
    return [
      ...[...new Set(words)].map((word) => `${path}:${at + 1}: "${word}": use ${bannedWords[word]}`),
      ...phrases.map(([phrase, better]) => `${path}:${at + 1}: ${phrase}: use ${better}`),
    ];
  });
}

test('a banned word is found in names, comments and prose, with where it is and what to use', () => {
  const text = 'const projectShelf = 1;\n// the ROOM leads to\nconst shelter = bedroom;';
  expect(faultsOf('src/a.ts', text)).toEqual([
    'src/a.ts:1: "shelf": use index',
    'src/a.ts:2: "room": use module, capacity, context',
    'src/a.ts:2: /\\bleads? to\\b/i: use points to, causes',
  ]);
  expect(faultsOf('src/notify/channels/matrix.ts', '// the room')).toEqual([]);
});

test.each(['src', 'test', 'bench', 'scripts', 'snapshots', '.'])(
  '%s uses the words of the field',
  (folder) => {
    const files = folder === '.' ? ['README.md'] : filesIn(folder);
    expect(files).not.toEqual([]);
    expect(files.flatMap((path) => faultsOf(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
  },
);
