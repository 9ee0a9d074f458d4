/**
 * The folders of `src`: how full each may be, that each has a `README.md` (what it is, its invariant, what others
 * may import), that nobody imports anything else, and that the folders of a module import one another in one direction.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));
const filesMax = 25;

/** Per module its folders from top to bottom: each imports only those behind it. `.`: the files of the module itself. */
const order: Readonly<Record<string, readonly string[]>> = {
  cli: [
    '.',
    'server',
    'doctor',
    'data',
    'mcp',
    'checks',
    'discover',
    'configuration',
    'owner',
    'schedule',
    'io',
  ],
  cluster: ['.', 'joining', 'status', 'requests', 'bus'],
  commands: ['.', 'configuration', 'owner', 'contract', 'secrets'],
  domain: [
    'configuration',
    'discover',
    'crontab',
    'views',
    'alerting',
    'deliveries',
    'accounts',
    'runs',
    'check',
    'results',
    'retention',
    'words',
    '.',
  ],
  engine: ['start', 'reads', 'pings', 'changes', 'deadlines', 'context', 'registry', 'contract'],
  http: ['mounts', 'web', 'monitoring', 'admin', 'status-page', 'api', 'badges', 'pings', 'wire', '.'],
  'http/web': ['.', 'checks', 'settings', 'account', 'vendors', 'live', 'calls', 'list'],
  integrations: ['.', 'chat', 'incidents', 'push', 'phone', 'custom', 'contract'],
  notify: ['.', 'admin', 'feeds', 'reports', 'dispatch', 'channels', 'mail', 'wire', 'words', 'contract'],
  store: ['repair', 'open', 'replicated', 'snapshot', 'history', 'journal', '.', 'codec', 'disk'],
  'store/history': ['.', 'fold', 'statistics', 'rows'],
  web: [
    ...[
      '.',
      'palette',
      'incidents',
      'maintenance',
      'settings',
      'projects',
      'status-pages',
      'list',
      'check',
      'log',
      'actions',
      'integrations',
    ],
    ...['form', 'snippets', 'badges', 'account', 'charts', 'rows', 'push', 'ui', 'core'],
  ],
};

const files = readdirSync(src, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)));
const folders = [...new Set(files.map((file) => dirname(file)))].filter((folder) => folder !== '.').sort();

/** Every import of one file of `src` by another: static, of types, of text, and of a thread's file. */
const imports = files.flatMap((from) =>
  [...readFileSync(join(src, from), 'utf8').matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)]
    .map(([, path = '']) => relative(src, resolve(src, dirname(from), path)))
    .filter((to) => /\.tsx?$/.test(to))
    .map((to) => ({ from, to })),
);

describe.each(folders)('%s', (folder) => {
  const readme = join(src, folder, 'README.md');
  const text = existsSync(readme) ? readFileSync(readme, 'utf8') : '';

  test('is not too full', () => {
    expect(files.filter((file) => dirname(file) === folder).length).toBeLessThanOrEqual(filesMax);
  });

  test('says what it is and its invariant', () => {
    expect(text).toMatch(
      /^# \S+\n\n\S[^\n]*\n\nInvariant: \S[^\n]*\n\n(?:\S[^\n]*\n|\n)*Others import: [^\n]*\.\n$/,
    );
    expect(text.startsWith(`# ${folder}\n`)).toBe(true);
  });

  test('is imported only where its README says so', () => {
    const listed = [...(/Others import: (.*)/.exec(text)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(
      ([, name = '']) => name,
    );
    const entered = imports
      .filter(({ from, to }) => dirname(to) === folder && dirname(from) !== folder)
      .map(({ to }) => basename(to));
    expect(listed).toEqual([...new Set(entered)].sort());
  });
});

describe.each(Object.entries(order))('the folders of %s', (module, names) => {
  const pathOf = (name: string): string => (name === '.' ? module : `${module}/${name}`);
  /** Which of them a file lies in, at whatever depth; of the files of the module itself, `.`. */
  const placeOf = (file: string): number =>
    names.findIndex((name) =>
      name === '.' ? dirname(file) === module : file.startsWith(`${pathOf(name)}/`),
    );

  test('are all in the list', () => {
    const own = files.filter((file) => file.startsWith(`${module}/`));
    expect(own.filter((file) => placeOf(file) === -1)).toEqual([]);
    expect(names.filter((name) => !own.some((file) => placeOf(file) === names.indexOf(name)))).toEqual([]);
  });

  test('import one another downward', () => {
    const up = imports.filter(
      ({ from, to }) =>
        from.startsWith(`${module}/`) && to.startsWith(`${module}/`) && placeOf(from) > placeOf(to),
    );
    expect(up).toEqual([]);
  });
});
