/**
 * The house rules as tests: who may import whom, no cycles, sizes, bans. Rules that cannot be checked are in
 * `src/README.md`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { limits } from '../src/config.ts';
import { coveredBy } from './covered-by.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

interface SourceFile {
  /** Below `src`, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourceFiles(directory: string, base: string): SourceFile[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const text = readFileSync(file, 'utf8');
      return { path: relative(base, file).replaceAll('\\', '/'), text, imports: importsOf(text) };
    });
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\b[^;'"]*?from '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    ([, fixed, dynamic]) => fixed ?? dynamic ?? '',
  );
}

const files = sourceFiles(src, src);
/** Tests and benches, by their paths from the top. */
const beside = ['test', 'bench'].flatMap((name) => sourceFiles(join(root, name), root));

/** The files that one of these imports, by their paths from the top. */
function relativeImports({ path, imports }: SourceFile): string[] {
  return imports
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(dirname(join(root, path)), name)).replaceAll('\\', '/'));
}
const moduleOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : path);

/** Which modules each module may import, itself aside. The arrows of `src/README.md`. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['cli'],
  cli: [
    'client',
    'assemble',
    'apply',
    'config.ts',
    ...[
      'http',
      'commands',
      'spec',
      'cluster',
      'importer',
      'engine',
      'notify',
      'store',
      'domain',
      'integrations',
      'schedule',
    ],
    'lib',
  ],
  assemble: [
    'config.ts',
    'limits.ts',
    ...['http', 'smtp', 'cluster', 'commands', 'notify', 'engine', 'store', 'domain', 'integrations', 'lib'],
  ],
  apply: ['spec', 'domain', 'integrations', 'schedule', 'lib'],
  importer: ['apply', 'spec', 'store', 'domain', 'integrations', 'schedule', 'lib'],
  'config.ts': ['limits.ts', 'lib'],
  'limits.ts': ['lib'],
  http: ['cluster', 'commands', 'spec', 'engine', 'domain', 'integrations', 'schedule', 'lib'],
  smtp: ['engine', 'domain', 'integrations', 'lib'],
  commands: ['spec', 'engine', 'domain', 'integrations', 'schedule', 'lib'],
  cluster: ['engine', 'store', 'domain', 'integrations', 'lib'],
  notify: ['store', 'domain', 'integrations', 'lib'],
  engine: ['store', 'domain', 'integrations', 'wheel', 'lib'],
  store: ['domain', 'integrations', 'lib'],
  spec: ['domain', 'integrations', 'schedule', 'lib'],
  domain: ['integrations', 'schedule', 'lib'],
  integrations: ['lib'],
  schedule: ['lib'],
  wheel: ['lib'],
  // Types of the API's answers.
  client: ['domain', 'lib'],
  lib: [],
  web: ['domain', 'integrations', 'schedule'],
};

function importedFiles(file: SourceFile): string[] {
  return file.imports
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(src, resolve(dirname(join(src, file.path)), name)).replaceAll('\\', '/'));
}

function importedModules(file: SourceFile): string[] {
  return importedFiles(file).map(moduleOf);
}

describe('imports', () => {
  test.each(files.map((file) => ({ path: file.path, file })))(
    'of $path follow the arrows',
    ({ path, file }) => {
      const module = moduleOf(path);
      const allowed = new Set([module, ...(arrows[module] ?? [])]);
      expect(importedModules(file).filter((target) => !allowed.has(target))).toEqual([]);
    },
  );

  test.each([
    ['src', files.map((file) => ({ ...file, path: `src/${file.path}` }))],
    ['test and bench', beside],
  ])('of %s have no cycles between files, those of types included', (_where, all) => {
    const graph = new Map(all.map((file) => [file.path, relativeImports(file)]));
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) throw new Error(`cycle: ${[...trail, path].join(' → ')}`);
      if (done.has(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    expect(graph.size).toBeGreaterThan(20);
  });

  /** One file per module touches its native library. */
  const wrapped: Readonly<Record<string, string>> = {
    'uWebSockets.js': 'http/wire/server.ts',
    'smtp-server': 'smtp/server.ts',
    mailparser: 'smtp/read-mail.ts',
    'postal-mime': 'web/log/mail.ts',
    uplot: 'web/charts/run-chart.tsx',
    '@nats-io/transport-node': 'store/replicated/nats-link.ts',
    nodemailer: 'notify/wire/send-mail.ts',
    http_ece: 'notify/channels/webpush.ts',
    lmdb: 'store/disk/lmdb-env.ts',
    yaml: 'apply/yaml-node.ts',
    msgpackr: 'store/codec/named-record.ts',
    'fs-native-extensions': 'store/disk/data-dir-lock.ts',
  };
  test.each(Object.entries(wrapped))('of %s stand in %s alone', (library, home) => {
    const users = files.filter((file) => file.imports.includes(library)).map((file) => file.path);
    expect(users.filter((path) => path !== home)).toEqual([]);
  });
});

/** All others are given a clock, or use this one. */
const readsClock: readonly string[] = ['lib/clock.ts'];

test('only the clock reads the time of day', () => {
  const reading = files.filter(
    ({ path, text }) => !path.startsWith('web/') && /Date\.now\b|new Date\(\)/.test(withoutComments(text)),
  );
  expect(reading.map(({ path }) => path).filter((path) => !readsClock.includes(path))).toEqual([]);
});

describe('tests and benches', () => {
  const tests = beside.filter(({ path }) => path.startsWith('test/') && path !== 'test/tidy.test.ts');
  /** Limits on what never comes. */
  const mayUseTimers: readonly string[] = ['test/support/wire/receivers.ts', 'test/support/real-time.ts'];
  /** To be split: no others may grow so long. */
  const long: readonly string[] = [
    'test/http/web/web.test.ts',
    'test/notify/dispatch/dispatch.test.ts',
    'test/simulation/asks.ts',
    'test/simulation/world.ts',
    'test/store/journal/group-commit.test.ts',
  ];

  test('wait for conditions, never for time', () => {
    const sleeping = tests.filter(({ text }) =>
      /\bsetTimeout\(|\bsetTimeout\b[^\n]*from 'node:timers|waitForTimeout/.test(withoutComments(text)),
    );
    expect(sleeping.map(({ path }) => path).filter((path) => !mayUseTimers.includes(path))).toEqual([]);
  });

  test('wait for what a page shows, instead of reading it once', () => {
    const once =
      /expect\(\s*(?:await )[^;]*?\.(?:count|inputValue|isChecked|isDisabled|isVisible|textContent|getAttribute)\(/;
    const reading = tests.filter(({ path, text }) => path.startsWith('test/web/') && once.test(text));
    expect(reading.map(({ path }) => path)).toEqual([]);
  });

  test('have at most 400 lines in a file', () => {
    const tooLong = beside.filter(({ text }) => text.trimEnd().split('\n').length > 400);
    expect(tooLong.map(({ path }) => path).filter((path) => !long.includes(path))).toEqual([]);
  });
});

describe('the pure modules', () => {
  const pure = files.filter((file) =>
    ['domain', 'integrations', 'schedule', 'wheel'].includes(moduleOf(file.path)),
  );
  test.each(pure.map((file) => ({ path: file.path, file })))(
    '$path has no clock, chance, waiting or I/O',
    ({ file }) => {
      const code = withoutComments(file.text);
      expect(code).not.toMatch(
        /\bawait\b|\basync\b|Date\.now|new Date\(\)|performance\.|Math\.random|\bfetch\(|\bset(?:Timeout|Interval|Immediate)\b/,
      );
      expect(file.imports.filter((name) => name.startsWith('node:'))).toEqual([]);
    },
  );
});

describe('engine and notify', () => {
  /** Measures how long a slice took, and decides on the size of the next by it, on nothing else. */
  const measures = 'engine/reads/check-slices.ts';
  const guided = files.filter(({ path }) => /^(engine|notify)\//.test(path) && path !== measures);
  test.each(guided.map((file) => ({ path: file.path, file })))(
    '$path takes time, ids and chance from its arguments',
    ({ file }) => {
      const code = withoutComments(file.text);
      expect(code).not.toMatch(
        /Date\.now|new Date\(\)|performance\.|Math\.random|\brandom(?:UUID|Bytes|Int)\b/,
      );
      const fromIds = /import \{([^}]*)\} from '[./]*lib\/ids\.ts'/.exec(code)?.[1] ?? '';
      expect(fromIds).not.toMatch(/\b(?:newUuid|randomBase62|randomHex|systemIds)\b/);
    },
  );
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

describe('every file', () => {
  test.each(files.map((file) => ({ path: file.path, file })))('$path opens with what it is', ({ file }) => {
    const { text, path } = file;
    const body = text.replace(/^#!.*\n/, '');
    expect(body.startsWith('/**') || body.startsWith('//'), 'opens with a comment').toBe(true);
    const code = withoutComments(text);
    expect(code, 'no any').not.toMatch(/(?::|<|as)\s*any\b/);
    expect(code, 'no default exports').not.toMatch(/export default/);
    expect(code, 'no marks of unfinished work').not.toMatch(/TODO|FIXME/);
    expect(path).not.toMatch(/(?:utils?|helpers?|common|(?<!alert)manager|service|types)\.tsx?$/);
  });
});

describe('every file of over 60 lines outside the page', () => {
  const stemOf = (path: string): string => path.replace(/\.ts$/, '');
  const hasTest = (stem: string): boolean => existsSync(join(root, 'test', `${stem}.test.ts`));
  // Kinds of integrations are tested by what all of them have to do: `integrations/`, `notify/golden`, `notify/vendors`.
  const isExempt = /^web\/|^integrations\/(?!contract\/)|\.d\.ts$|\.tsx$/;
  const long = files.filter(
    ({ path, text }) => !isExempt.test(path) && text.trimEnd().split('\n').length > 60,
  );
  const others = long.map(({ path }) => stemOf(path)).filter((stem) => !hasTest(stem));

  test('has a test of its name, or one that covers it', () => {
    expect(others.filter((stem) => coveredBy[stem] === undefined)).toEqual([]);
  });

  test.each(Object.entries(coveredBy))('%s is covered by %s, which exists', (stem, neighbour) => {
    expect(hasTest(neighbour)).toBe(true);
    expect(others, 'needs the entry').toContain(stem);
  });
});

test('the top level holds what it should and nothing else', () => {
  const allowed = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'README.md',
    'LICENSE',
    'src',
    'bench',
  ];
  const known = new Set([...allowed, 'snapshots', 'test', 'scripts', 'node_modules', 'dist', 'data']);
  const extra = readdirSync(root).filter((name) => !name.startsWith('.') && !known.has(name));
  expect(extra).toEqual([]);
});

test('every limit of the config bounds something', () => {
  const others = files.filter((file) => file.path !== 'limits.ts').map((file) => withoutComments(file.text));
  const namesIn = (group: object): string[] =>
    Object.entries(group).flatMap(([name, value]) =>
      typeof value === 'object' ? [name, ...namesIn(value)] : [name],
    );
  const idle = namesIn(limits).filter(
    (name) => !others.some((text) => new RegExp(`\\b${name}\\b`).test(text)),
  );
  expect(idle).toEqual([]);
});

describe('limits', () => {
  /** Facts of formats and protocols, and what follows from them, by file: they stand beside the code that reads them. */
  const facts: Readonly<Record<string, { readonly names: readonly string[]; readonly why: string }>> = {
    'engine/registry/hashed-handles.ts': {
      names: ['slotsMax', 'depthMax'],
      why: 'the shape of a hash table, which grows with what is in it',
    },
    'http/admin/admin-server.ts': { names: ['socketPathMax'], why: "the kernel's length of a socket path" },
    'http/wire/read-request.ts': { names: ['addressCharsMax'], why: 'the length of an IPv6 address' },
    'schedule/oncalendar.ts': { names: ['calendarYearMax'], why: 'the last year of OnCalendar' },
    'schedule/oncalendar-field.ts': {
      names: ['fromEndMax', 'fromEndSingleMax'],
      why: 'the days of a month',
    },
    'smtp/proxy-header.ts': { names: ['familiesMax'], why: 'the families of the PROXY protocol' },
    'store/codec/byte-writer.ts': {
      names: ['loopCharsMax', 'wholeBytesMax'],
      why: 'the size of a number, and from which length on the other way to write a string is faster',
    },
    'store/codec/check.ts': { names: ['stateBytesMax'], why: 'the size of an encoded state' },
    'store/codec/statistics.ts': {
      names: ['scalarsMax', 'spanBytesMax'],
      why: 'the sizes of encoded statistics',
    },
    'store/history/fold/compaction.ts': {
      names: ['checkBytesMax', 'removalBytesMax'],
      why: 'the pages that LMDB writes for a row',
    },
    'store/history/fold/fold.ts': {
      names: ['checkBytesMax', 'statisticsBytesMax', 'sweepBytesMax'],
      why: 'the pages that LMDB writes for a row',
    },
    'store/history/fold/retention-pass.ts': {
      names: ['checkBytesMax', 'pingBytesMax'],
      why: 'the pages that LMDB writes for a row',
    },
    'store/history/fold/fold-groups.ts': { names: ['placesMax'], why: 'the bits that are left in a number' },
    'store/history/rows/check-rows.ts': { names: ['rowBytesMax'], why: 'the size of a page' },
    'store/history/rows/runs.ts': { names: ['blockBytesMax'], why: 'the size of two pages' },
    'store/journal/manifest.ts': { names: ['manifestEntriesMax'], why: 'the size of a slot' },
    'store/journal/segment.ts': { names: ['segmentBytesMax'], why: "the format of the journal's files" },
    'store/journal/tail-index.ts': { names: ['distanceMax'], why: 'the bits that are left in a number' },
    'store/replicated/envelope.ts': {
      names: ['nodeNameBytesMax', 'envelopeBytesMax'],
      why: 'the format of an envelope',
    },
    'store/replicated/jetstream.ts': { names: ['headersBytesMax'], why: 'the size of the headers' },
    'store/replicated/replicated-log.ts': {
      names: ['appendsInFlightMax'],
      why: 'the format of the log: all nodes have to agree',
    },
    'store/snapshot/format.ts': { names: ['frameBytesMax'], why: 'the format of a snapshot' },
  };
  /** At the top of a file, by their names. Those of the page are exempt: they bound what is drawn, beside what draws it. */
  const found = files
    .filter(({ path }) => !path.startsWith('web/') && !/(?:^|[/-])limits\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?const (\w+(?:Max|PerTurn|AtOnce))\b/gm)].map(
        ([, name]) => `${path} ${name}`,
      ),
    );

  test('stand in a limits file, unless they are facts of a format', () => {
    const known = Object.entries(facts).flatMap(([path, { names }]) =>
      names.map((name) => `${path} ${name}`),
    );
    expect(found.sort()).toEqual(known.sort());
  });
});

test('the path of a ping has no await between classification and journal', () => {
  const path = files.find((file) => file.path === 'engine/pings/accept-ping.ts');
  expect(withoutComments(path?.text ?? 'await')).not.toMatch(
    /\bawait\b|\basync\b|\.then\(|setImmediate|queueMicrotask/,
  );
});

test('the lock file names the packages of every platform, so that npm ci takes it anywhere', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const missing = Object.entries<{ optionalDependencies?: Record<string, string> }>(packages).flatMap(
    ([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {}).filter(
        (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      ),
  );
  expect(missing, 'node scripts/complete-lock.js adds them').toEqual([]);
});
