/** `kill -9` of the server while `knell apply` runs: each change is there as a whole, and applying again goes on from there. */
import { writeFileSync } from 'node:fs';
import {
  request as ask,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../support/knell.ts';
import { CommandRunner, type Env, type Run } from '../support/process/commands.ts';
import { KnellProcess } from '../support/process/knell-process.ts';
import { tempDir } from '../support/temp-dirs.ts';

let runner: CommandRunner;

beforeAll(() => {
  runner = CommandRunner.start();
});

afterAll(() => runner.stop());

/** `before` the server has the request, `during` its work, or `after` its answer, of which the client sees nothing. */
type Moment = 'before' | 'during' | 'after';

/** In front of the server: kills it around one of the requests that change something. */
class KillingProxy {
  readonly #server: Server;
  readonly #killAt: readonly [request: number, moment: Moment];
  #knell: KnellProcess;
  #changes = 0;
  killed: Promise<unknown> | null = null;

  constructor(knell: KnellProcess, killAt: readonly [request: number, moment: Moment]) {
    this.#knell = knell;
    this.#killAt = killAt;
    this.#server = createServer((request, response) => void this.#pass(request, response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  goOn(knell: KnellProcess): void {
    this.#knell = knell;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const isChange = request.url?.endsWith('/config/apply') ?? false;
    const [number, moment] = this.#killAt;
    const kills = isChange && ++this.#changes === number && this.killed === null ? moment : null;
    if (kills === 'before') return this.#kill(response);
    const options = { method: 'POST', headers: { 'X-Api-Key': request.headers['x-api-key'] } };
    const outgoing = ask(`${this.#knell.httpUrl}${request.url}`, options, (answer) => {
      if (kills === 'after') this.#kill(response);
      else answer.pipe(response.writeHead(answer.statusCode ?? 502));
    });
    outgoing.on('error', () => response.destroy());
    // All of it is with the kernel: the server has it, or has it in a moment.
    if (kills === 'during') outgoing.once('finish', () => this.#kill(response));
    outgoing.end(Buffer.concat(parts));
  }

  #kill(response: ServerResponse): void {
    this.killed = this.#knell.end('SIGKILL').then(() => response.destroy());
  }
}

const checks = Array.from(
  { length: 350 },
  (_, n) => `{ slug: c${n}, timeout: 3600, integrations: [hook, mail] }`,
);
const configuration = `projects:
  - name: many
    keys: [{ name: deploy, scope: read-only, file: deploy.key }]
    integrations:
      - { name: hook, kind: mattermost, fields: { value: "https://example.org/hook" } }
      - { name: mail, kind: email, fields: { value: ops@example.org } }
    checks:
      - ${checks.join('\n      - ')}
users: [{ name: ann, role: owner }]
`;
/** Projects, keys, integrations, checks a hundred at a time, users. */
const batches = 1 + 1 + 1 + 4 + 1;

test.each<[number, Moment]>([
  [1, 'during'],
  [3, 'after'],
  [4, 'during'],
  [5, 'before'],
  [6, 'during'],
  [batches, 'after'],
])('around request %i, %s it', async (number, moment) => {
  const folder = tempDir();
  const dataDir = join(folder, 'data');
  let server = await KnellProcess.start(dataDir);
  const env: Env = { KNELL_DATA_DIR: dataDir };
  const { key } = JSON.parse(
    (await runner.run(['key', 'create-admin', 'ci', '--allow-shell', '--json'], env)).stdout,
  );
  const file = join(folder, 'knell.yaml');
  writeFileSync(file, configuration);
  const proxy = new KillingProxy(server, [number, moment]);
  const url = await proxy.listen();
  const apply = (): Promise<Run> =>
    runner.run(['apply', '-f', file, '--yes', '--server', url, '--key', key], env);
  try {
    const cut = await apply();
    expect([cut.status, cut.stderr]).toEqual([1, expect.stringContaining('cannot reach')]);
    await proxy.killed;
    server = await KnellProcess.start(dataDir);
    proxy.goOn(server);
    const exported: Json = parse((await runner.run(['export'], env)).stdout);
    const half: Json[] = exported.projects.find(({ name }: Json) => name === 'many')?.checks ?? [];
    for (const check of half)
      expect(check).toEqual({ slug: check.slug, timeout: 3600, integrations: ['hook', 'mail'] });
    expect((await apply()).status).toBe(0);
    expect((await apply()).stdout).toBe('Nothing to change.\n');
    const whole: Json = parse((await runner.run(['export'], env)).stdout);
    const many = whole.projects.find(({ name }: Json) => name === 'many');
    expect(many.checks).toHaveLength(checks.length);
    expect(whole.users).toEqual([{ name: 'ann', role: 'owner' }]);
  } finally {
    proxy.close();
    await server.end('SIGTERM');
  }
});
