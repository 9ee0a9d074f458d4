/**
 * What Knell asks of the kernel, seen by strace: the promise that an answered ping is on disk rests on these calls and on
 * their order, and no test that only kills the process can show whether they are made.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { logKinds } from '../../src/store/disk/log-kind.ts';
import { builtFile } from '../support/process/built.ts';
import { tempDir } from '../support/temp-dirs.ts';

/** Neither is there everywhere: containers often forbid tracing. */
const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

const traced = 'fsync,fdatasync,mkdir,openat,rename,pwrite64,pwritev,write,writev,sendto,recvfrom';

interface Call {
  readonly name: string;
  readonly text: string;
  /** The file of its first argument, where that is one. */
  readonly file: string;
}

function callsOf(trace: string): readonly Call[] {
  return readFileSync(trace, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', text = ''] = /^\d+ +(\w+)\((.*)/.exec(line) ?? [];
      const [, file = ''] = /^\d+<([^>]+)>/.exec(text) ?? [];
      return name === '' ? [] : [{ name, text, file }];
    });
}

/** Starts Knell on a new data directory, pings it a few times, ends it; what it asked of the kernel. */
async function traceOf(journal: string, dataDir: string): Promise<readonly Call[]> {
  const trace = join(tempDir(), 'trace');
  const args = [
    '-f',
    '-y',
    '-s',
    '60',
    '-o',
    trace,
    '-e',
    `trace=${traced}`,
    process.execPath,
    builtFile('main.js'),
    'serve',
  ];
  const child: ChildProcess = spawn('strace', args, {
    env: {
      PATH: process.env.PATH,
      KNELL_DATA_DIR: dataDir,
      KNELL_JOURNAL: journal,
      KNELL_HTTP: '127.0.0.1:0',
      KNELL_SMTP: 'off',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let pingKey = '';
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    pingKey = /ping key +(\S+)/.exec(line)?.[1] ?? pingKey;
    const url = /^knell: ready http=(\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    expect((await fetch(`${url}/ping/${pingKey}/job?create=1`)).status).toBe(201);
    for (let n = 2; n <= 4; n++) expect((await fetch(`${url}/ping/${pingKey}/job`)).status).toBe(200);
    // To the traced process: strace itself ends with it.
    const [pid = ''] = readFileSync(trace, 'utf8').split(' ');
    process.kill(Number(pid), 'SIGTERM');
    break;
  }
  await once(child, 'exit');
  return callsOf(trace);
}

describe.skipIf(!canTrace).each(logKinds)('with the %s log', (journal) => {
  const base = join(tempDir(), 'deep');
  const dataDir = join(base, 'data');
  let calls: readonly Call[] = [];

  test('every answered ping was written and synced between its arrival and its answer', async () => {
    calls = await traceOf(journal, dataDir);
    const arrivals = calls.flatMap(({ name, text }, at) =>
      name === 'recvfrom' && text.includes('"GET /ping/') ? [at] : [],
    );
    expect(arrivals.length).toBe(4);
    for (const at of arrivals) {
      const answer = calls.findIndex(
        ({ name, text }, index) => index > at && name === 'sendto' && /HTTP\/1.1 20[01]/.test(text),
      );
      const between = calls.slice(at, answer).filter(({ file }) => file.startsWith(join(dataDir, 'journal')));
      const written = between.findIndex(({ name }) => name.startsWith('pwrite'));
      const synced = between.findIndex(({ name }, index) => index > written && name === 'fdatasync');
      expect([answer > at, written >= 0, synced > written]).toEqual([true, true, true]);
      expect(between[synced]?.file).toBe(between[written]?.file);
      // LMDB writes the page that makes the commit count behind that, through a descriptor that syncs by itself.
      if (journal === 'lmdb')
        expect(
          between.slice(synced).some(({ name, text }) => name === 'pwrite64' && text.includes(', 128, ')),
        ).toBe(true);
    }
    if (journal === 'lmdb')
      expect(calls.some(({ text }) => /journal\/data\.mdb", O_WRONLY\|O_DSYNC/.test(text))).toBe(true);
  });

  test('every new directory and file has its name synced before the first ping is answered', () => {
    const answer = calls.findIndex(({ name, text }) => name === 'sendto' && text.includes('HTTP/1.1 20'));
    const before = calls.slice(0, answer);
    const created = before.flatMap(({ name, text }, at) => {
      const [, path = ''] =
        (name === 'mkdir'
          ? /^"([^"]+)"/
          : name === 'openat' && text.includes('O_CREAT')
            ? /"([^"]+)"/
            : /$^/
        ).exec(text) ?? [];
      // LMDB's lock file is made anew at each start; the socket and the lock hold nothing.
      return path.startsWith(base) && !/lock|\.sock/.test(path) ? [{ path, at }] : [];
    });
    // LMDB opens its file so each time: the first one creates it.
    const first = created.filter(({ path }, at) => created.findIndex((one) => one.path === path) === at);
    const names = new Set(created.map(({ path }) => path.slice(base.length)));
    const file = journal === 'lmdb' ? '/data/journal/data.mdb' : '/data/journal/manifest';
    for (const name of ['/data', '/data/history', '/data/journal', '/data/history/data.mdb', file])
      expect(names).toContain(name);
    const unsynced = first.filter(
      ({ path, at }) =>
        !before.some(
          ({ name, file: synced }, index) => index > at && name === 'fsync' && synced === dirname(path),
        ),
    );
    expect(unsynced.map(({ path }) => path)).toEqual([]);
  });
});
