/** What `npm start` does before the server does anything: build what has changed, load the program. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/http/api/openapi.ts';
import { builtUrl } from '../support/process/built.ts';
import { KnellProcess } from '../support/process/knell-process.ts';
import { tempDir } from '../support/temp-dirs.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

describe('npm start', () => {
  let dir = '';
  const source = () => join(dir, 'src/main.ts');
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  /** The start script as it is, around a program that prints its arguments and compilers that print their names. */
  beforeEach(() => {
    dir = tempDir();
    put('package.json', '{"type":"module"}');
    put('src/main.ts', 'one');
    put('tsconfig.json', '');
    put('package-lock.json', '');
    for (const name of readdirSync(join(root, 'scripts')).filter((one) => /\.[jt]s$/.test(one)))
      put(`scripts/${name}`, '');
    for (const name of ['build.js', 'start.js'])
      copyFileSync(join(root, 'scripts', name), join(dir, 'scripts', name));
    put('node_modules/vite/bin/vite.js', '');
    const program = 'console.log(process.argv.slice(1).join(" "), process.pid)';
    put(
      'node_modules/typescript/bin/tsc',
      `console.log('compiled'); const fs = require('node:fs'); fs.mkdirSync('dist', { recursive: true });
       fs.writeFileSync('dist/main.js', ${JSON.stringify(program)});`,
    );
    put('node_modules/typescript/package.json', '{"type":"commonjs"}');
  });
  const start = async (...words: readonly string[]) => {
    const child = run(process.execPath, [join(dir, 'scripts/start.js'), ...words]);
    const { stdout, stderr } = await child;
    return { stdout, compiled: stderr.includes('compiled'), pid: child.child.pid };
  };

  test('runs the server in its own process, with the arguments it was given', async () => {
    const { stdout, pid } = await start('--http', '127.0.0.1:0');
    expect(stdout).toBe(`${join(dir, 'dist/main.js')} serve --http 127.0.0.1:0 ${pid}\n`);
  });

  test('builds at first, then only when what a source says has changed', async () => {
    expect((await start()).compiled).toBe(true);
    expect((await start()).compiled).toBe(false);
    utimesSync(source(), 0, 0);
    expect((await start()).compiled).toBe(false);
    writeFileSync(source(), 'two');
    expect((await start()).compiled).toBe(true);
    expect((await start()).compiled).toBe(false);
  });

  test('builds where the record of the last build is cut off', async () => {
    await start();
    writeFileSync(join(dir, 'dist/.built.json'), '{"dates":');
    expect((await start()).compiled).toBe(true);
  });
});

test('the built program describes its API as the source does', async () => {
  const knell = await KnellProcess.start(join(tempDir(), 'data'), { KNELL_BASE_URL: 'http://knell.test' });
  const built = await (await fetch(`${knell.httpUrl}/api/v3/openapi.json`)).json();
  await knell.end('SIGTERM');
  const source = openApiDocument('http://knell.test');
  expect(built).toEqual(JSON.parse(JSON.stringify(source)));
});

test('a start reads few files, no mail client without a mail server, and nothing of a cluster without one', async () => {
  const log = join(tempDir(), 'modules');
  const preload = new URL('../support/store/log-modules.js', import.meta.url);
  const knell = await KnellProcess.start(join(tempDir(), 'data'), {
    NODE_OPTIONS: `--import=${preload}`,
    LOADED_MODULES: log,
  });
  await knell.end('SIGTERM');
  const dist = new URL('./', builtUrl('main.js')).href;
  const loaded = readFileSync(log, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith(dist));
  expect(loaded.some((url) => url.endsWith('/main.js'))).toBe(true);
  expect(loaded.length).toBeLessThan(60);
  expect(loaded.filter((url) => /nats|cluster-node/.test(url))).toEqual([]);
  expect(readdirSync(fileURLToPath(dist)).some((name) => name.startsWith('nodemailer'))).toBe(true);
  expect(loaded.filter((url) => url.includes('/nodemailer'))).toEqual([]);
});
