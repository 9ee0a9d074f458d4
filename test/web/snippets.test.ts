/**
 * Each snippet of the page runs a job that succeeds and one that fails, against a real Knell: by its interpreter where this machine
 * has one, else it is skipped.
 */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { jobPath, type SnippetOptions } from '../../src/web/snippets/snippet.ts';
import { snippets } from '../../src/web/snippets/snippets.ts';
import { type Json, Knell } from '../support/knell.ts';
import { tempDir } from '../support/temp-dirs.ts';

let knell: Knell;
let directory = '';

beforeAll(async () => {
  knell = await Knell.start();
});

beforeEach(() => {
  directory = tempDir();
});

afterAll(() => knell?.stop());

const has = (program: string): boolean => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

function optionsOf(check: Json, by: 'uuid' | 'slug'): SnippetOptions {
  const baseUrl = knell.app.httpUrl;
  const { uuid, slug } = check;
  const pingKey = knell.keys.ping;
  return {
    url: by === 'uuid' ? `${baseUrl}/ping/${uuid}` : `${baseUrl}/ping/${pingKey}/${slug}`,
    baseUrl,
    target: by === 'uuid' ? { by, uuid } : { by, pingKey, slug },
    mail: null,
    cron: '15 2 * * *',
    isCronExact: true,
    tz: 'Europe/Berlin',
  };
}

function textOf(name: string, options: SnippetOptions): string {
  const text = snippets.find((one) => one.name === name)?.textOf(options);
  if (!text) throw new Error(`no snippet ${name}`);
  return text;
}

let count = 0;

/** A job that says something and ends with that status. */
function jobFile(status: number): string {
  const path = join(directory, `job-${++count}`);
  writeFileSync(path, `#!/bin/sh\necho the job says ${status}\nexit ${status}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** The exit status of a program, whose errors are shown when a test fails. */
function statusOf(program: string, args: readonly string[], env = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      [...args],
      { cwd: directory, env: { ...process.env, ...env } },
      (error, _out, stderr) => {
        if (!error) resolve(0);
        else if (typeof error.code === 'number') resolve(error.code);
        else reject(new Error(`${error.message}\n${stderr}`));
      },
    );
  });
}

function written(name: string, text: string): string {
  const folder = join(directory, `run-${++count}`);
  mkdirSync(folder);
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** How each is run that has an interpreter: the snippet's text with another job's path in it. */
const runners: Readonly<Record<string, { needs: string; run: (text: string) => Promise<number> }>> = {
  bash: { needs: 'bash', run: (text) => statusOf('bash', [written('job.sh', text)]) },
  // What cron passes to a shell is behind the five fields.
  crontab: {
    needs: 'sh',
    run: (text) => statusOf('sh', ['-c', text.replace('15 2 * * *  ', '')]),
  },
  Python: { needs: 'python3', run: (text) => statusOf('python3', [written('job.py', text)]) },
  'Node.js': { needs: 'node', run: (text) => statusOf('node', [written('job.mjs', text)]) },
  Go: {
    needs: 'go',
    run: async (text) => {
      // `go run` itself ends with 1 whatever the program's status was.
      const file = written('job.go', text);
      expect(await statusOf('go', ['build', '-o', `${file}.bin`, file], { GOFLAGS: '-mod=mod' })).toBe(0);
      return statusOf(`${file}.bin`, []);
    },
  },
  PHP: { needs: 'php', run: (text) => statusOf('php', [written('job.php', text)]) },
  Ruby: { needs: 'ruby', run: (text) => statusOf('ruby', [written('job.rb', text)]) },
  Java: { needs: 'java', run: (text) => statusOf('java', [written('Job.java', text)]) },
  'knell run': {
    needs: 'node',
    run: (text) => {
      const knellRun = fileURLToPath(new URL('../../dist/knell-run.mjs', import.meta.url));
      return statusOf('sh', [
        '-c',
        text.replace('15 2 * * *  ', '').replace('knell run', `node ${knellRun}`),
      ]);
    },
  },
  runitor: { needs: 'runitor', run: (text) => statusOf('sh', ['-c', text]) },
  Kubernetes: {
    needs: 'sh',
    run: (text) => {
      const { schedule, timeZone, jobTemplate } = parse(text).spec;
      expect([schedule, timeZone]).toEqual(['15 2 * * *', 'Europe/Berlin']);
      const [program = '', ...args] = jobTemplate.spec.template.spec.containers[0].command as string[];
      return statusOf(program, args);
    },
  },
};

/** Those that do not say how the job ended but by success and failure, or send no output. */
const withOutput = ['bash', 'Python', 'Node.js', 'Go', 'PHP', 'Ruby', 'Java', 'runitor', 'knell run'];

describe.each(Object.entries(runners))('the snippet for %s', (name, { needs, run }) => {
  const isMissing = !has(needs);
  if (isMissing) console.warn(`${needs} is not installed: the snippet for ${name} is not tried`);

  test.skipIf(isMissing).each([
    [0, 'uuid'],
    [3, 'slug'],
  ] as const)('reports the start and the end of a job that ends with %i, by %s', async (status, by) => {
    const check = await knell.create({ name: `${name} ${status}`, slug: `job-${++count}` });
    const text = textOf(name, optionsOf(check, by));
    expect(text).toContain(jobPath);
    const ended = await run(text.replaceAll(jobPath, jobFile(status)));
    // That of a crontab's line is the ping's own.
    if (name !== 'crontab') expect(ended).toBe(status);
    const pings = await knell.pings(check.uuid);
    expect(pings.map(({ type }: Json) => type)).toEqual([status === 0 ? 'success' : 'fail', 'start']);
    if (!withOutput.includes(name)) return;
    const body = await knell.api('GET', new URL(pings[0].body_url).pathname);
    // Runitor adds a paragraph of its own where a job failed.
    const [said = ''] = name === 'runitor' ? body.text.split('\n\n[runitor]') : [body.text];
    expect(said.trim()).toBe(`the job says ${status}`);
  });
});

describe('snippets that no program here runs', () => {
  test('that for GitHub Actions reports the start, and the end in each case', async () => {
    const check = await knell.create();
    const { on, jobs } = parse(textOf('GitHub Actions', optionsOf(check, 'uuid')));
    expect(on.schedule).toEqual([{ cron: '15 2 * * *' }]);
    const [start, , , end] = jobs.job.steps;
    expect(end.if).toBe('always()');
    for (const [command, type] of [
      [start.run, 'start'],
      [end.run.replace(/\$\{\{.*\}\}/, '0'), 'success'],
      [end.run.replace(/\$\{\{.*\}\}/, 'fail'), 'fail'],
    ]) {
      expect(await statusOf('sh', ['-c', command])).toBe(0);
      expect((await knell.pings(check.uuid))[0].type).toBe(type);
    }
  });

  test('that for Ansible asks for addresses that there are', async () => {
    const check = await knell.create();
    const [start, { block, rescue }] = parse(textOf('Ansible', optionsOf(check, 'uuid')));
    for (const [task, type] of [
      [start, 'start'],
      [block[1], 'success'],
      [rescue[0], 'fail'],
    ]) {
      expect((await fetch(task['ansible.builtin.uri'].url)).status).toBe(200);
      expect((await knell.pings(check.uuid))[0].type).toBe(type);
    }
  });

  test('all name the check as asked, and that for mail is there only where mail is taken', async () => {
    const check = await knell.create({ slug: 'nightly' });
    for (const by of ['uuid', 'slug'] as const) {
      const options = optionsOf(check, by);
      for (const { name, textOf: textBy } of snippets) {
        if (name === 'Email') continue;
        const wanted = name === 'runitor' ? (by === 'uuid' ? check.uuid : '-slug nightly') : options.url;
        expect(textBy(options), name).toContain(wanted);
      }
      expect(snippets.at(-1)?.textOf(options)).toBeNull();
      expect(snippets.at(-1)?.textOf({ ...options, mail: 'a@b' })).toBe('a@b');
    }
  });
});
