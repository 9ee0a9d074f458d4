/** The package as somebody gets it: packed, installed into an empty folder, run from there. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The packages that Knell needs come from the registry, or from npm's cache. */
const registryMissing = await run('npm', ['ping']).then(
  () => false,
  () => true,
);

describe.skipIf(registryMissing)('the package', () => {
  // For all tests of this file: those of `tempDir` go after each.
  const dir = mkdtempSync(join(tmpdir(), 'knell-package-'));
  let listed: readonly string[] = [];

  beforeAll(async () => {
    const packed = await run('npm', ['pack', '--json', '--pack-destination', dir], { cwd: root });
    const [{ filename, files }] = JSON.parse(packed.stdout);
    listed = files.map(({ path }: { path: string }) => path);
    writeFileSync(join(dir, 'package.json'), '{"name":"empty","private":true}');
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', join(dir, filename)];
    await run('npm', install, { cwd: dir });
  });

  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  test('holds what runs, and nothing else', () => {
    expect(listed).toContain('dist/main.js');
    expect(listed).toContain('dist/web/index.html');
    expect(listed).toContain('dist/web/docs/index.html');
    expect(listed).toContain('LICENSE');
    expect(listed.filter((path) => !/^(dist\/|README\.md$|LICENSE$|package\.json$)/.test(path))).toEqual([]);
    expect(listed.filter((path) => /^dist\/(bench|simulation)\/|\.map$|\.ts$/.test(path))).toEqual([]);
    expect(readdirSync(join(dir, 'node_modules'))).not.toContain('vite');
  });

  test('says which version it is, built from which commit, and which formats it writes', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { stdout } = await run('npx', ['knell', '--version'], { cwd: dir });
    expect(stdout).toMatch(/^\S+ \((commit [0-9a-f]{7,}, )?data format \d+, snapshot format \d+\)\n$/);
    expect(stdout).toContain(version);
  });

  describe('started with npx', () => {
    let server: ChildProcess;
    let url = '';

    beforeAll(async () => {
      server = spawn('npx', ['knell', 'serve'], {
        cwd: dir,
        env: { ...process.env, KNELL_HTTP: '127.0.0.1:0', KNELL_SMTP: 'off', KNELL_LOG_LEVEL: 'error' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      for await (const part of server.stdout ?? []) {
        said += part;
        url = /ready http=(\S+)/.exec(said)?.[1] ?? '';
        if (url !== '') break;
      }
    });

    afterAll(async () => {
      if (server.exitCode !== null) return;
      server.kill('SIGTERM');
      await once(server, 'exit');
    });

    test('it takes pings, and shows the page and the manual', async () => {
      const { stdout } = await run(
        'npx',
        ['knell', 'key', 'create', 'default', '--scope', 'read-write', '--json'],
        {
          cwd: dir,
        },
      );
      const headers = { 'X-Api-Key': JSON.parse(stdout).key };
      const made = await fetch(`${url}/api/v3/checks/`, { method: 'POST', headers, body: '{"name":"job"}' });
      const { uuid } = (await made.json()) as { uuid: string };
      expect((await fetch(`${url}/ping/${uuid}`)).status).toBe(200);
      expect((await (await fetch(`${url}/`)).text()).includes('<div id="page">')).toBe(true);
      expect((await fetch(`${url}/docs/getting-started`)).status).toBe(200);
    });

    test('it offers the checks to a language model, without the library of the protocol among its packages', async () => {
      expect(readdirSync(join(dir, 'node_modules'))).not.toContain('@modelcontextprotocol');
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StdioClientTransport({ command: 'npx', args: ['knell', 'mcp'], cwd: dir }));
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('explain_outage');
      await client.close();
    });
  });
});
