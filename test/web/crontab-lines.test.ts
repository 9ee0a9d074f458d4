/** A crontab with pings added: each line is run as cron runs it, by a real shell, against a real Knell. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withPings } from '../../src/web/snippets/crontab-lines.ts';
import { Knell } from '../support/knell.ts';

let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start();
});

afterAll(() => knell?.stop());

/** What cron does with a line: the command up to the first `%`, the rest as its input. */
async function runLine(line: string, fields: number): Promise<string> {
  const [, command = ''] = new RegExp(`^(?:\\S+[ \\t]+){${fields}}(.*)$`).exec(line) ?? [];
  const [run = '', ...input] = command.split(/(?<!\\)%/);
  const child = spawn('/bin/sh', ['-c', run.replaceAll('\\%', '%')], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input.map((one) => `${one}\n`).join(''));
  await once(child, 'close');
  return output;
}

const jobs: readonly (readonly [
  line: string,
  fields: number,
  hasUsers: boolean,
  status: string,
  out: string,
])[] = [
  ['0 3 * * * true', 5, false, 'up', ''],
  ['0 3 * * * echo of/a\\%b', 5, false, 'up', 'of/a%b\n'],
  ['0 3 * * * cat%one%two', 5, false, 'up', 'one\ntwo\n'],
  ['  0 3 * * *\troot   cd / && false', 6, true, 'down', ''],
  ['@daily root exit 3', 2, true, 'down', ''],
  ['@daily exec false', 1, false, 'down', ''],
  ['0 3 * * * false || exit', 5, false, 'down', ''],
  ['0 3 * * * (sleep 0; echo x)', 5, false, 'up', 'x\n'],
  ["0 3 * * * false # it's $(never", 5, false, 'down', ''],
  ['0 3 * * * (sleep 0; exit 1)  #', 5, false, 'down', ''],
  ['0 3 * * * cat # at 5\\% or%so', 5, false, 'up', 'so\n'],
  [`0 3 * * * echo a#b '# c' "$(echo "# d")" ')'\t# e`, 5, false, 'up', 'a#b # c # d )\n'],
  ['0 3 * * * echo $# && exit 4 # x # y', 5, false, 'down', '0\n'],
];

test.each(jobs)('%s: its start and its end are known', async (line, fields, hasUsers, status, out) => {
  const check = await knell.create({ channels: '' });
  const url = `${knell.app.httpUrl}/ping/${check.uuid}`;
  const { text, untouched } = withPings(line, new Map([[1, url]]), { hasUsers });
  expect(untouched.size).toBe(0);
  // What it printed before it prints now, which cron sends by mail.
  expect(await runLine(text.trim(), fields)).toBe(out);
  const { pings } = (await knell.api('GET', `/api/v3/checks/${check.uuid}/pings/`)).json();
  expect(pings).toHaveLength(2);
  expect(pings[1].type).toBe('start');
  expect((await knell.check(check.uuid)).status).toBe(status);
});

test('all that is no job with a check stays as it is', () => {
  const text = '# head\r\nMAILTO=x\n\n0 3 * * * a.sh\n5 3 * * * b.sh\n\n\n';
  const changed = withPings(text, new Map([[5, 'http://knell.test/ping/x']]), { hasUsers: false });
  const lines = changed.text.split('\n');
  expect(lines.slice(0, 4)).toEqual(['# head', 'MAILTO=x', '', '0 3 * * * a.sh']);
  expect(lines[4]).toMatch(/^5 3 \* \* \* curl .*\/ping\/x\/start; b\.sh; curl .*\/ping\/x\/\$\?$/);
  // Cron takes no last line without its end.
  expect(lines.slice(5)).toEqual(['']);
});

test.each([
  ["* * * * * a.sh $'it\\'s # x'", 'What follows a # in a command may be a comment: add the ping before it'],
  ['* * * * * a.sh & # nightly', 'The job runs in the background: let the program itself ping'],
  ['* * * * * # nightly', 'It has no command'],
  ['* * * * * a.sh `# nightly', 'What follows a # in a command may be a comment: add the ping before it'],
  ['* * * * * a.sh &', 'The job runs in the background: let the program itself ping'],
  ['* * * * * a.sh |', 'Remove the | at the end of its command'],
  ['* * * * * a.sh;', 'Remove the ; at the end of its command'],
  ['* * * * * a.sh \\', 'Remove the \\ at the end of its command'],
  [`* * * * * ${'x'.repeat(900)}`, 'Cron reads 999 characters of a command: call curl in a script'],
])('%# gets no ping, with the reason', (line, reason) => {
  const { text, untouched } = withPings(line, new Map([[1, 'http://knell.test/ping/x']]), {
    hasUsers: false,
  });
  expect(text).toBe(`${line}\n`);
  expect([...untouched]).toEqual([[1, reason]]);
});
