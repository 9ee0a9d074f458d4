/** The blocks of code of a guide of the manual, and what runs them against a Knell that is away at first. */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked } from 'marked';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, Knell } from './knell.ts';
import { isLong } from './long.ts';
import { builtFile } from './process/built.ts';
import { tempDir } from './temp-dirs.ts';

/** The ping URL of the guides, and their job. */
export const guideUrl = 'https://knell.example.org/ping/UUID';
export const guideJob = '/usr/local/bin/job';

/** Those of a page, by the heading above, with a number from the second on: "Shell", "Shell 2". */
export function blocksOf(page: string): ReadonlyMap<string, string> {
  const path = fileURLToPath(new URL(`../../src/docs/${page}.md`, import.meta.url));
  const blocks = new Map<string, string>();
  let heading = '';
  let count = 0;
  for (const token of marked.lexer(readFileSync(path, 'utf8'))) {
    if (token.type === 'heading') {
      heading = token.text;
      count = 0;
    }
    if (token.type === 'code') blocks.set(++count === 1 ? heading : `${heading} ${count}`, token.text);
  }
  return blocks;
}

export function hasProgram(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `folder` comes first in the path. */
export function ended(
  program: string,
  args: readonly string[],
  {
    folder = '',
    env = {},
  }: { readonly folder?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const path = [folder, process.env.PATH ?? ''].filter((one) => one !== '').join(delimiter);
  return new Promise((resolve, reject) => {
    const options = { cwd: tempDir(), env: { ...process.env, ...env, PATH: path } };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(new Error(`${error.message}\n${stderr}`));
      else resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** A file of that name in a folder of its own, which may be run. */
export function written(name: string, text: string): string {
  const file = join(tempDir(), name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

/** A program that prints something and ends with that status. */
export function jobFile(status: number): string {
  return written('job', `#!/bin/sh\necho "the job says ${status}"\nexit ${status}\n`);
}

/** In front of a Knell: the first request to each address gets 503, the others go on to it. */
export class AwayAtFirst {
  readonly #server: Server;
  readonly #asked = new Set<string>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(knell: Knell): Promise<AwayAtFirst> {
    const server = createServer();
    const proxy = new AwayAtFirst(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const { url = '', method = 'GET' } = request;
        if (!proxy.#asked.has(url)) {
          proxy.#asked.add(url);
          response.writeHead(503).end('not yet');
          return;
        }
        const body = method === 'POST' ? { body: new Uint8Array(Buffer.concat(chunks)) } : {};
        const answer = await fetch(`${knell.app.httpUrl}${url}`, { method, ...body });
        response.writeHead(answer.status).end(await answer.text());
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** Where a check of the Knell is pinged through it. */
  urlOf({ uuid }: Json): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/ping/${uuid}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** What a check has got, the oldest first. */
export async function pingTypes(knell: Knell, { uuid }: Json): Promise<readonly string[]> {
  return (await knell.pings(uuid)).map(({ type }: Json) => type).reverse();
}

/** The body of its last ping. */
export async function lastBody(knell: Knell, { uuid }: Json): Promise<string> {
  const [{ n }] = await knell.pings(uuid);
  return (await knell.api('GET', `/api/v3/checks/${uuid}/pings/${n}/body`)).text;
}

export interface GuideCase {
  /** The program without which it is skipped. */
  readonly needs?: string;
  /** Runs the text, which has the URL of a check in it unless that is a secret elsewhere, with a job that works or fails. */
  readonly run: (text: string, works: boolean, url: string) => Promise<unknown>;
  /** What the check has got then; a start and an end if left out. */
  readonly works?: readonly string[];
  readonly fails?: readonly string[];
  /** Settings of the check. */
  readonly check?: Json;
  /** Numbers that come with the end of a job that works. */
  readonly results?: Json;
  /** In `npm run test:long` alone: a real program that takes seconds. */
  readonly isSlow?: boolean;
}

/** Tests of each block of a page: those of `cases` are run against a Knell, those of `notTried` have a reason. */
export function tryGuide(
  page: string,
  cases: Readonly<Record<string, GuideCase>>,
  notTried: Readonly<Record<string, string>>,
): void {
  const blocks = blocksOf(page);
  let knell: Knell;
  beforeAll(async () => {
    knell = await Knell.start();
  });
  afterAll(() => knell?.stop());

  test('every text is tried, or it is said why not', () => {
    expect([...Object.keys(cases), ...Object.keys(notTried)].sort()).toEqual([...blocks.keys()].sort());
  });

  describe.each(Object.entries(cases))(
    '%s',
    (name, { needs = 'curl', run, check: settings, results, isSlow = false, ...ends }) => {
      const isMissing = !hasProgram(needs);
      if (isMissing) console.warn(`${needs} is not installed: ${name} is not tried`);
      const outcomes = [
        [true, ends.works ?? ['start', 'success']],
        [false, ends.fails ?? ['start', 'fail']],
      ] as const;

      test.skipIf(isMissing || (isSlow && !isLong)).each(outcomes)(
        'whether the job works: %s',
        async (works, expected) => {
          const check: Json = await knell.create({ name, ...settings });
          const text = blocks.get(name) ?? '';
          const url = `${knell.app.httpUrl}/ping/${check.uuid}`;
          const ran = await run(text.replaceAll(guideUrl, url), works, url);
          expect(await pingTypes(knell, check), JSON.stringify(ran)).toEqual(expected);
          if (works && results) expect((await knell.pings(check.uuid))[0].results).toMatchObject(results);
        },
      );
    },
  );
}

/** Runs the command of a line of a crontab, or of `/etc/cron.d` with its user, as cron does. */
export function asCron(line: string, more?: Parameters<typeof ended>[2]): Promise<Ended> {
  const [, command = ''] = /^(?:\S+\s+){5}(?:root\s+)?(.*)$/.exec(line) ?? [];
  return ended('/bin/sh', ['-c', withKnell(command)], more);
}

/** `knell run` is the built file. */
function withKnell(command: string): string {
  return command.replace('knell run', `"${process.execPath}" "${builtFile('knell-run.mjs')}"`);
}

/** With a job of that end in the place of the text's. */
export function withJob(text: string, works: boolean): string {
  return text.replaceAll(guideJob, jobFile(works ? 0 : 3));
}

export function asScript(shell: string, text: string, more?: Parameters<typeof ended>[2]): Promise<Ended> {
  return ended(shell, [written('job.sh', text)], more);
}

/** A folder for the path with a program of that name in it. */
export function standIn(name: string, script: string): string {
  return dirname(written(name, `#!/bin/sh\n${script}\n`));
}
