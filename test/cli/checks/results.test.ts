/** `knell results`: the numbers of a check, over the socket of one Knell and remotely with a key. */
import { afterAll, afterEach, expect, test } from 'vitest';
import { CheckCommands } from '../../support/process/check-commands.ts';

const commands = await CheckCommands.start();
const { knell, run, runRemotely, json, create } = commands;

afterAll(() => commands.stop());
afterEach(() => commands.deleteChecks());

async function backup(): Promise<string> {
  const { uuid } = await create('backup', '--results', 'files: below 1, change 50% warns');
  for (const files of [1380, 1400, 1420, 1390, 1410, 0])
    await knell.request(`/ping/${uuid}?m=files:${files}&m=drift:-2.5`);
  return uuid;
}

test('lists each number with its last value, what its limits make of it, and what is usual', async () => {
  await backup();
  const { stdout } = await run('results', 'backup');
  const [head, files, drift] = stdout.split('\n');
  expect(head).toMatch(/^RESULT +LAST +WHEN +VERDICT +USUAL +LIMITS$/);
  expect(files).toMatch(
    /^files +0 +.* ago +failure +1,384–1,416 +below 1 is a failure, a change by over 50 % is a warning$/,
  );
  expect(drift).toMatch(/^drift +-2\.5 +\S.* ago$/);
  const ages = (text: string): string => text.replaceAll(/\d+ s ago */g, '');
  expect(ages((await runRemotely('results', 'backup')).stdout)).toBe(ages(stdout));
  expect(await json('results', 'backup')).toMatchObject([
    { name: 'files', last: 0, verdict: 'failure', has_rule: true },
    { name: 'drift', last: -2.5, verdict: null, has_rule: false },
  ]);
  const csv = (await run('results', 'backup', '--csv')).stdout;
  expect(csv).toMatch(
    /^name,last,unit,last_at,verdict,usual_from,usual_median,usual_to,limits\r\nfiles,0,,20.*\+00:00,failure,1384,1400,1416,"?below 1/,
  );
});

test('prints the values of one by run, hour and day, as a table, JSON or CSV', async () => {
  const uuid = await backup();
  const { stdout } = await run('results', 'backup', 'files');
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^TIME +PING +RUN +VALUE$/);
  expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d +#1 +success +1,380$/);
  expect(lines.at(-1)).toMatch(/#6 +failure +0$/);
  expect((await run('results', uuid, 'files', '--step', 'day')).stdout).toMatch(
    /RUNS +FAILED +AVERAGE +LEAST +MOST\n.* 6 +1 +1,166\.7 +0 +1,420\n$/,
  );
  expect((await json('results', 'backup', 'drift', '--step', 'hour')).points).toMatchObject([
    { min: -2.5, max: -2.5 },
  ]);
  const csv = (await runRemotely('results', 'backup', 'drift', '--csv')).stdout.split('\r\n');
  expect(csv[0]).toBe('time,name,n,type,value,unit');
  expect(csv[1]).toMatch(/^20.*\+00:00,drift,1,success,-2\.5,$/);
  const early = await run('results', 'backup', 'files', '--to', '2020-01-01');
  expect(early.stdout).toBe('no values in this time\n');
  const late = await json('results', 'backup', 'files', '--from', '2020-01-01 02:10');
  expect(late.points).toHaveLength(6);
});

test.each([
  [['backup', 'none'], 'knell: the check has no number none: there are files, drift\n'],
  [['backup', '5'], 'knell: "5" is no name of a number, such as files or bytes_added\n'],
  [['backup', '--step', 'day'], 'knell: --step is for the values of one number: name it behind the check\n'],
  [['backup', 'files', '--from', 'soon'], /^knell: --from must be a time such as 02:10, 2030-05-04 02:10 or/],
  [['backup', 'files', '--csv', '--json'], /^knell: option '--csv' cannot be used with option '--json'/],
])('refuses %j and says what to write', async (words, expected) => {
  await backup();
  const { status, stderr } = await run('results', ...words);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(expected);
});

test('of a check whose runs report none it says so', async () => {
  await create('plain');
  expect((await run('results', 'plain')).stdout).toMatch(/^its runs have reported no numbers/);
});
