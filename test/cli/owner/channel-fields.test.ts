/** Integrations by the options of their kind: the same values as by the page's form. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelKinds } from '../../../src/domain/accounts/project.ts';
import { kinds } from '../../../src/integrations/all.ts';
import { asChannelId } from '../../../src/lib/ids.ts';
import { Knell } from '../../support/knell.ts';
import { CommandRunner, type Run } from '../../support/process/commands.ts';

let knell: Knell;
let runner: CommandRunner;

beforeAll(async () => {
  knell = await Knell.start();
  runner = CommandRunner.start();
});

afterAll(async () => {
  await runner.stop();
  await knell.stop();
});

const run = (...args: string[]): Promise<Run> => runner.run(args, { KNELL_DATA_DIR: knell.dataDir });
const create = (kind: string, ...args: string[]): Promise<Run> =>
  run('channel', 'create', 'default', '--kind', kind, '--name', 'x', '--json', ...args);

describe('channel create', () => {
  test.each([
    ['ntfy', ['--topic', 'alerts'], { topic: 'alerts', url: 'https://ntfy.sh', priority: 3, priority_up: 3 }],
    [
      'ntfy',
      ['--topic', 'a', '--priority', '5', '--url', 'https://n.example'],
      { priority: 5, url: 'https://n.example' },
    ],
    [
      'email',
      ['--value', 'ops@example.org', '--up', 'off'],
      { value: 'ops@example.org', down: true, up: false },
    ],
    [
      'webhook',
      ['--url-down', 'https://h.example/', '--headers-down', 'X-Token: abc'],
      {
        url_down: 'https://h.example/',
        headers_down: { 'X-Token': 'abc' },
      },
    ],
    ['webhook', ['--value', '{"url_up":"https://h.example/"}'], { url_up: 'https://h.example/' }],
  ])('%s with %j', async (kind, args, value) => {
    const { status, stdout } = await create(kind, ...args);
    expect(status).toBe(0);
    const channel = knell.app.engine.read.channel(asChannelId(JSON.parse(stdout).id));
    expect(JSON.parse(channel?.value ?? '')).toMatchObject(value);
  });

  test.each([
    ['ntfy', [], /ntfy needs --topic/],
    ['ntfy', ['--topic', 'a b'], /^knell: Enter/],
    ['ntfy', ['--site', 'x'], /ntfy has no --site/],
    ['ntfy', ['--topic', 'x', '--value', '{}'], /--value is the whole of ntfy/],
    ['ntfy', ['--topic', 'x', '--priority', '9'], /one of the listed values/],
    ['email', ['--value', 'ops@example.org', '--up', 'maybe'], /--up must be on or off/],
    ['pigeon', ['--value', 'x'], /pigeon/],
  ])('%s with %j is one sentence and status 2', async (kind, args, said) => {
    const { status, stdout, stderr } = await create(kind, ...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(said);
  });
});

describe('channel kinds', () => {
  test('lists every kind', async () => {
    const { stdout } = await run('channel', 'kinds');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(' ')[0]),
    ).toEqual([...channelKinds]);
  });

  test.each([...channelKinds])('explains every option of %s, with an example', async (kind) => {
    const { status, stdout } = await run('channel', 'kinds', kind);
    expect(status).toBe(0);
    const { help = '', steps = [], pasted = '' } = kinds[kind].form;
    for (const text of [help, ...steps.map((step, at) => `${at + 1}. ${step}`), pasted.trim()])
      expect(stdout).toContain(text);
    for (const [name, meaning] of kinds[kind].form.placeholders ?? [])
      expect(stdout).toMatch(new RegExp(`^  \\$${name} +${meaning.replace(/[`$()]/g, '.?')}$`, 'm'));
    for (const { name, label } of kinds[kind].form.fields) {
      expect(stdout).toMatch(new RegExp(`^--${name.replaceAll('_', '-')} `, 'm'));
      expect(stdout).toContain(label);
    }
    expect(stdout).toContain(`knell channel create default --kind ${kind} --name ops --`);
  });

  test('refuses a kind that is none', async () => {
    expect(await run('channel', 'kinds', 'pigeon')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^knell: [^\n]+\n$/),
    });
  });
});
