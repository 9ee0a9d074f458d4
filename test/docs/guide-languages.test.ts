/**
 * Each text of the guide for languages runs a job that works and one that fails against a real Knell, whose first answers are 503, and
 * one that is away: by its interpreter where this machine has one. Those that none here runs are listed with the reason.
 */
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AwayAtFirst,
  blocksOf,
  type Ended,
  ended,
  guideJob,
  guideUrl,
  hasProgram,
  jobFile,
  lastBody,
  pingTypes,
  written,
} from '../support/guides.ts';
import { type Json, Knell } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { freePort } from '../support/wire/free-port.ts';

const blocks = blocksOf('guide-languages');

const notTried: Readonly<Record<string, string>> = {
  'PHP 2': 'needs Laravel',
  'C#': 'Debian has no .NET',
  Arduino: 'needs the device',
  Email: 'by test/path/clients.test.ts',
};

let knell: Knell;
let proxy: AwayAtFirst;
beforeAll(async () => {
  knell = await Knell.start();
  proxy = await AwayAtFirst.start(knell);
});
afterAll(async () => {
  proxy?.stop();
  await knell?.stop();
});

interface Language {
  readonly needs: string;
  /** Runs the text with a job that works or fails. */
  readonly run: (text: string, works: boolean) => Promise<Ended>;
}

/** A script whose job is another program. */
const script = (needs: string, folder = ''): Language => ({
  needs,
  run: (text, works) =>
    ended('sh', [written('job.sh', text.replaceAll(guideJob, jobFile(works ? 0 : 3)))], { folder }),
});

const busyboxFolder = tempDir();
for (const name of ['wget', 'tail', 'sleep', 'timeout'])
  symlinkSync('/usr/bin/busybox', join(busyboxFolder, name));

const failure = 'the disk is full';

const languages: Readonly<Record<string, Language>> = {
  Shell: script('curl'),
  'Shell 2': script('curl'),
  'Shell 3': script('wget'),
  'Shell 3 with busybox': script('/usr/bin/busybox', busyboxFolder),
  Python: {
    needs: 'python3',
    run: (text, works) => {
      const job = `def job():\n    ${works ? 'pass' : `raise RuntimeError("${failure}")`}\n`;
      return ended('python3', [written('job.py', job + text)]);
    },
  },
  'Node.js': {
    needs: 'node',
    run: (text, works) => {
      const job = `\nfunction job() { ${works ? '' : `throw new Error('${failure}');`} }\n`;
      return ended('node', [written('job.mjs', text + job)]);
    },
  },
  PHP: {
    needs: 'php',
    run: (text, works) => {
      const job = `\nfunction job() { ${works ? '' : `throw new Exception('${failure}');`} }\n`;
      return ended('php', [written('job.php', text + job)]);
    },
  },
  Ruby: {
    needs: 'ruby',
    run: (text, works) =>
      ended('ruby', [written('job.rb', `def job\n${works ? '' : `raise "${failure}"`}\nend\n${text}`)]),
  },
  Perl: {
    needs: 'perl',
    run: (text, works) =>
      ended('perl', [written('job.pl', `${text}\nsub job { ${works ? '' : `die "${failure}\\n"`} }\n`)]),
  },
  Go: {
    needs: 'go',
    run: async (text, works) => {
      const job = `\nfunc job() error { return ${works ? 'nil' : `errors.New("${failure}")`} }\n`;
      const file = written('job.go', text + job);
      const built = await ended('go', ['build', '-o', `${file}.bin`, file], { env: { GOFLAGS: '-mod=mod' } });
      return built.status === 0 ? ended(`${file}.bin`, []) : built;
    },
  },
  PowerShell: {
    needs: 'pwsh',
    run: (text, works) => {
      const job = written('job.ps1', works ? '' : `throw '${failure}'`);
      return ended('pwsh', [
        '-NoProfile',
        '-File',
        written('run.ps1', text.replace('C:\\Jobs\\job.ps1', job)),
      ]);
    },
  },
};

/** Its text with the URL of a check, trying again without a pause. */
function textOf(name: string, url: string): string {
  const text = blocks.get(name.replace(' with busybox', '')) ?? '';
  expect(text).toContain(guideUrl);
  return text
    .replaceAll(guideUrl, url)
    .replace(/(\[|\(|in )1(,?) 5(,?) 0/, '$10$2 0$3 0')
    .replace('[1000, 5000, 0]', '[0, 0, 0]')
    .replace('time.Duration{1, 5, 0}', 'time.Duration{0, 0, 0}');
}

test('every text is tried, or it is said why not', () => {
  const tried = Object.keys(languages).filter((name) => !name.includes('busybox'));
  expect([...tried, ...Object.keys(notTried), 'Browser'].sort()).toEqual([...blocks.keys()].sort());
});

/** Also in `npm test`; the others wait between their tries or are compiled, and are in `npm run test:long` alone. */
const quick = ['Python', 'Node.js', 'Perl'];

describe.each(Object.entries(languages))('%s', (name, { needs, run }) => {
  const isMissing = !hasProgram(needs);
  if (isMissing) console.warn(`${needs} is not installed: ${name} is not tried`);
  const isSkipped = isMissing || !(isLong || quick.includes(name));

  test.skipIf(isSkipped)('reports a job that works, and one that fails, and tries again', async () => {
    for (const works of [true, false]) {
      const check: Json = await knell.create({ name: `${name} ${works}` });
      const { status, stderr } = await run(textOf(name, proxy.urlOf(check)), works);
      expect(await pingTypes(knell, check), stderr).toEqual(['start', works ? 'success' : 'fail']);
      expect(status === 0).toBe(works);
      const isScript = name.startsWith('Shell');
      if (isScript && !works) expect(status).toBe(3);
      // The first one reports only how it ended.
      if (name !== 'Shell' && !works)
        expect(await lastBody(knell, check)).toContain(isScript ? 'the job says 3' : failure);
    }
  });

  test.skipIf(isSkipped)('runs the job without Knell, and says so', async () => {
    const text = textOf(name, `http://127.0.0.1:${await freePort()}/ping/x`).replace(
      '--retry 5',
      '--retry 0',
    );
    const works = await run(text, true);
    expect(works.status).toBe(0);
    expect(works.stderr + works.stdout).toMatch(/ping failed|curl: /);
    expect((await run(text, false)).status).not.toBe(0);
  });
});

test.skipIf(browserMissing !== '')('Browser: a page of another origin pings', async () => {
  const check = await knell.create();
  const site = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>'));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.evaluate(
      (blocks.get('Browser') ?? '').replace(guideUrl, `${knell.app.httpUrl}/ping/${check.uuid}`),
    );
    await expect.poll(() => pingTypes(knell, check)).toEqual(['success']);
    expect(await lastBody(knell, check)).toBe('saved');
  } finally {
    await closeBrowser(browser);
    site.close();
  }
});
