/** What holds for `knell import` of every vendor: plans, second imports, printing, and what is no export at all. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../support/knell.ts';
import { isLong } from '../../support/long.ts';
import { runProcess } from '../../support/process/commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';
import { VendorImports, vendor, withPage } from './vendor-imports.ts';

const imports = VendorImports.forFile();
const { imported, run } = imports;

const sources = [
  ['uptime-kuma', 'uptime-kuma.json'],
  ['cronitor', 'cronitor.yaml'],
  ['dead-mans-snitch', 'dead-mans-snitch.json'],
  ['better-stack', 'better-stack.json'],
  ['opsgenie', 'opsgenie.json'],
  ['gatus', 'gatus.yaml'],
] as const;

describe.each(sources)('%s', (source, name) => {
  test('--dry-run shows the plan and changes nothing', async () => {
    const { status, stdout, stderr } = await run(
      source,
      withPage(name, 'dry'),
      '--project',
      'none',
      '--dry-run',
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^LEFT OUT +NAME +WHY$/m);
    expect(stdout).toMatch(/^Plan: /m);
    expect((await imports.commands.json('project', 'list')).map((one: Json) => one.name)).not.toContain(
      'none',
    );
  });

  test('a second import of the same file changes nothing', async () => {
    const file = withPage(name, 'twice');
    await imported(source, name, `twice ${source}`, file);
    const again = await run(source, file, '--project', `twice ${source}`, '--yes');
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('Nothing to change.')]);
  });

  test('--print prints what knell apply takes', async () => {
    const { stdout, stderr } = await run(
      source,
      withPage(name, 'printed'),
      '--project',
      `printed ${source}`,
      '--print',
    );
    expect(stderr).toMatch(/becomes \/ping\/PING_KEY\/\S+$/m);
    const file = join(tempDir(), 'knell.yaml');
    writeFileSync(file, stdout);
    expect(await imports.commands.run('apply', '-f', file, '--yes')).toMatchObject({ status: 0, stderr: '' });
  });

  test('a folder of several files is refused, not read in part', async () => {
    const dir = tempDir();
    for (const file of ['a.yaml', 'b.yaml']) writeFileSync(join(dir, file), readFileSync(vendor(name)));
    const { status, stderr } = await run(source, dir, '--yes');
    expect([status, stderr]).toEqual([2, expect.stringContaining('has several files: name one')]);
  });

  test.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['a number', '7'],
    ['an object of something else', '{"a":[1,{"b":null}]}'],
    ['cut off', '{"monitorList":[{"id":1,'],
    ['bytes', '\u0000\u0001{{{'],
  ])('%s is refused in one line', async (_what, text) => {
    const file = join(tempDir(), 'garbage');
    writeFileSync(file, text);
    const { status, stdout, stderr } = await run(source, file, '--yes');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^knell: [^\n]+\n$/);
  });

  // The question is one for all: a process of its own for one of them in `npm test`.
  test.runIf(isLong || source === 'gatus')(
    'without --yes and without a terminal nothing is changed',
    async () => {
      const env = imports.commands.local();
      const { status, stderr } = await runProcess(
        ['import', source, withPage(name, 'none'), '--project', 'none'],
        {
          env,
        },
      );
      expect([status, stderr]).toEqual([2, expect.stringContaining('add --yes')]);
    },
  );
});

test.each([
  [
    'uptime-kuma',
    {
      monitorList: [
        null,
        7,
        { type: 'push', name: {}, interval: 'x' },
        { type: 'push', interval: 60, tags: 3 },
      ],
    },
  ],
  ['cronitor', { jobs: { a: null, b: { schedule: '99 99 * * *' }, c: { schedule: ['x'] } } }],
  [
    'dead-mans-snitch',
    [null, [], { interval: 'daily', name: '\u0007', tags: 'x', alert_email: ['no address'] }],
  ],
  [
    'better-stack',
    { data: [null, { attributes: 7 }, { attributes: { period: 1e99, name: 'x'.repeat(300) } }] },
  ],
  ['opsgenie', { data: { heartbeats: [null, { interval: 1, intervalUnit: 'days' }] } }],
  [
    'gatus',
    {
      endpoints: 7,
      'external-endpoints': [
        { name: 1, heartbeat: { interval: '1h30m' }, alerts: [{ type: 'constructor' }] },
      ],
    },
  ],
])('%s: what has fields of the wrong type is left out, and the rest goes on', async (source, content) => {
  const file = join(tempDir(), 'odd.json');
  writeFileSync(file, JSON.stringify(content));
  const { status, stderr } = await run(source, file, '--project', `odd ${source}`, '--yes');
  expect([status, stderr]).toEqual([0, '']);
});
