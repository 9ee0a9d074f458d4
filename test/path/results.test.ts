/** Results as a job and its owner see them: pings over a real socket, a real store, and a simulated clock. */
import { readFileSync } from 'node:fs';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertTimeline } from '../support/page/alert-timeline.ts';
import { ownerPage } from '../support/page/page-client.ts';
import { addressOf } from '../support/wire/mail-client.ts';

const domain = 'ping.example.org';

let timeline: AlertTimeline;

beforeEach(async () => {
  timeline = await AlertTimeline.start({ KNELL_SMTP: '127.0.0.1:0', KNELL_EMAIL_DOMAIN: domain });
});

afterEach(() => timeline.stop());

const outputOf = (name: string): Buffer =>
  readFileSync(new URL(`../domain/results/outputs/${name}.txt`, import.meta.url));

async function ping(uuid: string, rest = '', body?: string | Buffer): Promise<void> {
  const init = body === undefined ? {} : { method: 'POST', body };
  expect((await timeline.knell.request(`/ping/${uuid}${rest}`, init)).status).toBe(200);
  await timeline.advance(0);
}

async function newest(uuid: string): Promise<Record<string, unknown>> {
  return (await timeline.knell.api('GET', `/api/v3/checks/${uuid}/pings/`)).json().pings[0];
}

const statusOf = async (uuid: string): Promise<unknown> => (await timeline.knell.check(uuid)).status;

describe('a check without rules', () => {
  test('keeps the numbers that a ping gives, and is as before for one that gives none', async () => {
    const { uuid } = await timeline.check('job', {});
    await ping(uuid);
    expect(await newest(uuid)).not.toHaveProperty('results');
    expect(await timeline.knell.check(uuid)).not.toHaveProperty('results');
    await ping(uuid, '?m=files:142&m=bytes:8.1e9&m.rows=12&m=bad&m=x:NaN&m=files:143');
    expect((await newest(uuid)).results).toEqual({ files: 143, bytes: 8.1e9, rows: 12 });
    await timeline.restart();
    expect((await newest(uuid)).results).toEqual({ files: 143, bytes: 8.1e9, rows: 12 });
    expect(await statusOf(uuid)).toBe('up');
  });
});

describe('a limit', () => {
  test('takes a check down that reports success, says which number was beyond it, and lets it up again', async () => {
    const { uuid } = await timeline.check('backup', { results: 'files: below 1' });
    await ping(uuid, '', 'files=12\n');
    expect([await statusOf(uuid), (await newest(uuid)).results]).toEqual(['up', { files: 12 }]);
    await ping(uuid, '', 'copied\nfiles: 0\n');
    expect(await statusOf(uuid)).toBe('down');
    expect(await newest(uuid)).toMatchObject({ type: 'fail', note: 'result', results: { files: 0 } });
    const { runs } = (await timeline.knell.api('GET', `/api/v3/checks/${uuid}/runs/`)).json();
    expect(runs[0]).toMatchObject({
      outcome: 'failure',
      note: 'result',
      note_text: 'files 0, below 1',
      results: { files: 0 },
    });
    await ping(uuid, '?m=files:3');
    expect(await statusOf(uuid)).toBe('up');
    expect(timeline.sent).toEqual(['backup DOWN', 'backup UP']);
  });

  test('on what the usual is learns it from good runs only, across a restart', async () => {
    const { uuid } = await timeline.check('import', { results: 'rows: change 50% warns, missing' });
    for (const rows of [1000, 1010, 990, 1005, 995]) await ping(uuid, `?m=rows:${rows}`);
    for (const rows of [10, 10, 10]) await ping(uuid, `?m=rows:${rows}`);
    await timeline.restart();
    await ping(uuid, '?m=rows:12');
    expect(await newest(uuid)).toMatchObject({ type: 'warn', note: 'result' });
    expect(await statusOf(uuid)).toBe('up');
    await ping(uuid, '?m=rows:1200');
    expect(await newest(uuid)).toMatchObject({ type: 'success' });
    await ping(uuid, '', 'nothing to say');
    expect(await newest(uuid)).toMatchObject({ type: 'fail', note: 'result' });
    expect(await statusOf(uuid)).toBe('down');
  });

  test('is not about failures, starts and logs, and not retroactive', async () => {
    const { uuid } = await timeline.check('job', {});
    await ping(uuid, '?m=files:0');
    await timeline.edit('job', { results: 'files: below 1, missing' });
    expect(await statusOf(uuid)).toBe('up');
    for (const rest of ['/start', '/log']) await ping(uuid, rest);
    expect(await statusOf(uuid)).toBe('up');
    await ping(uuid, '/fail?m=files:0');
    expect(await newest(uuid)).toMatchObject({ type: 'fail', results: { files: 0 } });
    expect(await newest(uuid)).not.toHaveProperty('note');
  });
});

test.each([
  ['rsync', 'files from rsync files: below 1', 'files'],
  ['restic', 'added from restic added: missing', 'added'],
  ['borg', 'size from borg size: missing', 'size'],
  ['pg_dump', 'tables from pg_dump tables: below 1', 'tables'],
])('what %s prints is read by its preset', async (program, results, name) => {
  const { uuid } = await timeline.check('job', { results });
  await ping(uuid, '', outputOf(program));
  const found = (await newest(uuid)).results as Record<string, number>;
  expect(found[name]).toBeGreaterThan(0);
  await ping(uuid, '', 'interrupted\n');
  // Where lines are counted there are none.
  const isBroken = results.endsWith('missing') || program === 'pg_dump';
  expect(await statusOf(uuid)).toBe(isBroken ? 'down' : 'up');
});

test('a person who pings by hand is not asked for numbers', async () => {
  const { uuid } = await timeline.check('job', { results: 'files: missing' });
  const owner = await ownerPage(timeline.knell);
  const project = (await owner.get('/web/state')).json().projects[0].id;
  expect((await owner.post(`/web/in/${project}/checks/${uuid}/ping`, {})).status).toBe(200);
  expect(await newest(uuid)).toMatchObject({ type: 'success' });
  expect(await statusOf(uuid)).toBe('up');
});

test('rules that are none are refused, and the answer says what to write', async () => {
  const answer = await timeline.knell.api('POST', '/api/v3/checks/', { results: 'files: blow 1' });
  expect([answer.status, answer.json().error]).toEqual([
    400,
    'json validation error: results is not valid: line 1: "blow" is no limit; write below, above, change or missing',
  ]);
});

test('the alert says in one sentence what was beyond its limit, and what is usual', async () => {
  const value = timeline.receiver.url('/chat');
  const args = { project: 'default', kind: 'mattermost', name: 'chat', value };
  await timeline.knell.app.admin({ command: 'channel create', args }, () => {});
  const { uuid } = await timeline.check('job', { results: 'files: change 50%' });
  for (const files of [1380, 1400, 1420, 1390, 1410]) await ping(uuid, `?m=files:${files}`);
  await ping(uuid, '', 'files: 0\n');
  await expect.poll(() => timeline.sentTo('chat').at(-1)).toContain('files 0, usually 1,384–1,416.');
});

test('a mail is read for its numbers', async () => {
  const { uuid } = await timeline.check('mailed', { results: 'files: below 1' });
  const transport = createTransport({ ...addressOf(timeline.knell.app.smtp), ignoreTLS: true });
  const envelope = { from: 'nas@example.org', to: [`${uuid}@${domain}`] };
  await transport.sendMail({ envelope, raw: 'Subject: backup\r\n\r\ncopied\r\nfiles: 0\r\n' });
  expect(await newest(uuid)).toMatchObject({ type: 'fail', note: 'result', results: { files: 0 } });
});

test('are listed by name, by run, and by hour and day', async () => {
  const { uuid } = await timeline.check('job', { results: 'files in B: below 1', timeout: 86_400 });
  const get = async (rest: string) => timeline.knell.api('GET', `/api/v3/checks/${uuid}/results/${rest}`);
  for (const files of [10, 20, 30, 40, 50]) await ping(uuid, `?m=files:${files}&m=other:1`);
  await timeline.clock.advance(60 * 60_000);
  for (let n = 0; n < 30; n++) await ping(uuid, '?m=files:100');
  const usual = { from: 100, median: 100, to: 100 };
  expect((await get('')).json().results).toMatchObject([
    {
      name: 'files',
      unit: 'B',
      has_rule: true,
      last: 100,
      usual,
      limits: [{ kind: 'below', value: 1, outcome: 'failure' }],
    },
    { name: 'other', unit: '', has_rule: false, last: 1, usual: null },
  ]);
  await timeline.restart();
  const byRun = (await get('files')).json();
  expect([byRun.step, byRun.points.length, byRun.points.at(-1).value]).toEqual(['run', 35, 100]);
  expect((await get('files?step=hour')).json().points).toMatchObject([
    { runs: 5, average: 30, min: 10, max: 50 },
    { runs: 30, average: 100, min: 100, max: 100 },
  ]);
  expect((await get('other?step=day')).json().points).toMatchObject([{ runs: 5, min: 1, max: 1 }]);
  expect((await get('nothing')).status).toBe(404);
  expect((await get('files?step=week')).json().error).toBe('step is not one of run, hour, day');
  // A range that is too long is that of its end.
  expect((await get('files?step=hour&start=1')).json().points).toHaveLength(2);
  expect((await get('files?step=hour&start=5&end=1')).json().points).toEqual([]);
});

test('come as a file of CSV or JSON, in which no unit is a formula', async () => {
  const { uuid } = await timeline.check('job', { results: 'files in =1+1: below 1' });
  for (const files of [-3, 20]) await ping(uuid, `?m=files:${files}`);
  const path = `/api/v3/checks/${uuid}/results/files`;
  const get = async (query: string, accept?: string) => {
    const headers = { 'X-Api-Key': timeline.knell.keys.readOnly, ...(accept ? { Accept: accept } : {}) };
    const answer = await timeline.knell.request(path + query, { headers });
    const header = (name: string): string | null => answer.headers.get(name);
    return { text: answer.text, type: header('content-type'), file: header('content-disposition') };
  };
  const csv = await get('?format=csv');
  expect([csv.type, csv.file]).toEqual([
    'text/csv; charset=utf-8',
    expect.stringMatching(/^attachment; filename="job-files-by-run\.csv"$/),
  ]);
  expect(csv.text).toMatch(
    /^time,name,n,type,value,unit\r\n[^,]+,files,1,fail,-3,'=1\+1\r\n[^,]+,files,2,success,20,'=1\+1\r\n$/,
  );
  expect((await get('', 'text/csv')).text).toBe(csv.text);
  expect((await get('?step=day&format=csv')).text).toMatch(
    /^time,name,runs,failed,average,min,max,unit\r\n[^,]+,files,2,1,8\.5,-3,20,'=1\+1\r\n$/,
  );
  const plain = await get('', 'application/json, text/csv');
  expect([plain.type, plain.file]).toEqual(['application/json', null]);
  const json = await get('?format=json', 'text/csv');
  expect([json.type, json.file, json.text]).toEqual([
    'application/json',
    expect.stringContaining('-files-by-run.json"'),
    plain.text,
  ]);
  const refused = await timeline.knell.api('GET', `${path}?format=xls`);
  expect([refused.status, refused.json().error]).toEqual([400, 'format is not one of csv, json']);
});

test('are metrics of their project', async () => {
  const { uuid } = await timeline.check('job', {});
  const metrics = async (): Promise<string> => {
    const [project] = timeline.knell.app.engine.read.projects();
    const path = `/projects/${project?.id}/metrics/`;
    const headers = { Authorization: `Bearer ${timeline.knell.keys.readOnly}` };
    return (await timeline.knell.request(path, { headers })).text;
  };
  await ping(uuid);
  expect(await metrics()).not.toContain('knell_result');
  await ping(uuid, '?m=files:142&m=bytes:8.1e9');
  expect(await metrics()).toMatch(/\nknell_result\{name="job", .*, result="files"\} 142\n/);
});
