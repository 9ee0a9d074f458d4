/** What the audit log says a change was: from what to what, through the endpoints of the page. */
import { afterEach, expect, test } from 'vitest';
import type { AuditFact } from '../../src/domain/accounts/audit.ts';
import { type Json, Knell } from '../support/knell.ts';
import { goodPassword, ownerPage, type PageClient, projectIn } from '../support/page/page-client.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(): Promise<Knell> {
  const knell = await Knell.start();
  closers.push(() => knell.stop());
  return knell;
}

const entriesIn = async (page: PageClient, query = ''): Promise<Json[]> =>
  (await page.get(`/web/audit?${query}`)).json().entries;

test('values: from what to what, of what holds no secret; of a long text the beginning', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  const project = await projectIn(page);
  const { uuid } = await knell.create({ name: 'job', channels: '' });
  const change = async (path: string, body: unknown) => {
    const answer = await page.post(path, body);
    expect([answer.status, answer.text]).toEqual([expect.any(Number), expect.not.stringContaining('error')]);
    return (await entriesIn(page))[0];
  };
  const channel = { kind: 'email', name: 'On call', value: 'a@example.org' };
  const { id } = (await page.post(`/web/in/${project}/channels`, { ...channel, checks: 'none' })).json();
  const checkPath = `/web/in/${project}/api/checks/${uuid}`;
  expect((await change(checkPath, { channels: id, manual_resume: true })).changes).toEqual([
    { field: 'manual_resume', before: 'false', after: 'true' },
    { field: 'channels', before: '', after: 'On call' },
  ]);
  const long = `${'x'.repeat(199)}😀`;
  expect((await change(checkPath, { desc: `${long} one` })).changes).toEqual([
    { field: 'desc', before: '', after: `${'x'.repeat(199)}…` },
  ]);
  expect(await change(checkPath, { desc: `${long} two` })).toMatchObject({ fields: ['desc'], changes: [] });
  const path = `/web/in/${project}/channels/${id}`;
  const edited = { name: 'Night', fields: { value: 'b@example.org' }, delayS: 60, late: true };
  expect(await change(path, edited)).toMatchObject({
    fields: expect.arrayContaining(['name', 'delay', 'late']),
    changes: [
      { field: 'name', before: 'On call', after: 'Night' },
      { field: 'value', before: 'a@example.org', after: 'b@example.org' },
      { field: 'delay', before: '0', after: '60' },
      { field: 'late', before: 'false', after: 'true' },
    ],
  });
  expect((await change(`/web/in/${project}/rename`, { name: 'Northwind' })).changes).toEqual([
    { field: 'name', before: 'default', after: 'Northwind' },
  ]);
  // What was done before is found by the present name, too; the project was created with its former one.
  const shown = await entriesIn(page, 'subject=project');
  expect(shown.map(({ name, projectName }: Json) => [name, projectName])).toEqual([
    ['Northwind', 'Northwind'],
    ['default', 'Northwind'],
  ]);
  const spec = { title: 'Status', slug: 'northwind', services: [{ name: 'Jobs', checks: [uuid] }] };
  const made = (await page.post(`/web/in/${project}/status-pages`, spec)).json();
  const services = [
    { name: 'Jobs', checks: [uuid] },
    { name: 'Web', tag: 'web' },
  ];
  const values = { ...spec, services, title: 'How we are', password: 'a page password 1' };
  expect(await change(`/web/in/${project}/status-pages/${made.id}`, values)).toMatchObject({
    fields: ['title', 'password', 'services'],
    changes: [
      { field: 'title', before: 'Status', after: 'How we are' },
      { field: 'services', before: 'Jobs (job)', after: 'Jobs (job), Web (tag web)' },
    ],
  });
  await change('/web/account/password', { present: goodPassword, password: 'another good password' });
  const csv = (await page.get('/web/audit.csv')).text;
  expect(csv).toContain('name: On call → Night; value: a@example.org → b@example.org; delay: 0 → 60');
  const whole = JSON.stringify(await entriesIn(page)) + (await page.get('/web/audit.jsonl')).text + csv;
  for (const hidden of ['page password', 'good password', goodPassword]) expect(whole).not.toContain(hidden);
});

test('an integration: the fields that its kind calls open have values, and no address with a password in it', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  const path = `/web/in/${await projectIn(page)}/channels`;
  const create = async (kind: string, name: string, fields: Json): Promise<string> =>
    (await page.post(path, { kind, name, fields, checks: 'none' })).json().id;
  const edit = async (id: string, name: string, fields: Json): Promise<Json> => {
    expect((await page.post(`${path}/${id}`, { name, fields })).status).toBe(200);
    return (await entriesIn(page))[0];
  };
  const ntfy = { topic: 'topic-1', url: 'https://ntfy.example.org', priority: '3' };
  const phone = await create('ntfy', 'phone', ntfy);
  const other = await create('email', 'ops', { value: 'ops@example.org', down: 'yes', up: 'yes' });
  const moved = { ...ntfy, topic: 'topic-2', url: 'https://push.example.org', priority: '5' };
  expect(await edit(phone, 'phone', moved)).toMatchObject({
    fields: ['topic', 'url', 'priority'],
    changes: [
      { field: 'url', before: 'https://ntfy.example.org', after: 'https://push.example.org' },
      { field: 'priority', before: '3', after: '5' },
    ],
  });
  for (const url of ['https://me:hidden-one@push.example.org', 'https://push.example.org/?auth=hidden-one'])
    expect(await edit(phone, 'phone', { ...moved, url })).toMatchObject({ fields: ['url'], changes: [] });
  expect((await edit(other, 'ops', { value: 'ops@example.org', down: 'yes', up: '' })).changes).toEqual([
    { field: 'up', before: 'true', after: 'false' },
  ]);
  const group = await create('group', 'all', { value: phone });
  expect((await edit(group, 'all', { value: `${phone},${other}` })).changes).toEqual([
    { field: 'value', before: 'phone', after: 'phone, ops' },
  ]);
});

test('a setting of the server: from what to what, from and to its default, and of a secret its name', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  const change = async (variable: string, value: string | null): Promise<Json> => {
    expect((await page.post('/web/server-settings', { variable, value })).status).toBe(200);
    return (await entriesIn(page))[0];
  };
  const first = 'Knell <knell@localhost>';
  expect(await change('KNELL_MAIL_FROM', 'Knell <one@example.org>')).toMatchObject({
    action: 'changed',
    subject: 'setting',
    name: 'KNELL_MAIL_FROM',
    fields: ['value'],
    changes: [{ field: 'value', before: first, after: 'Knell <one@example.org>' }],
  });
  expect((await change('KNELL_MAIL_FROM', 'two@example.org')).changes).toEqual([
    { field: 'value', before: 'Knell <one@example.org>', after: 'two@example.org' },
  ]);
  expect(await change('KNELL_MAIL_FROM', null)).toMatchObject({
    action: 'deleted',
    changes: [{ field: 'value', before: 'two@example.org', after: first }],
  });
  expect(await change('KNELL_WEBHOOK_ALLOW', '10.0.0.0/8')).toMatchObject({
    changes: [{ field: 'value', before: '', after: '10.0.0.0/8' }],
  });
  expect((await page.post('/web/server-settings/allow', { addresses: ['192.168.1.5'] })).status).toBe(200);
  expect((await entriesIn(page))[0].changes).toEqual([
    { field: 'value', before: '10.0.0.0/8', after: '10.0.0.0/8,192.168.1.5' },
  ]);
  for (const value of [`12345:one${'x'.repeat(32)}`, `12345:two${'x'.repeat(32)}`, null]) {
    const entry = await change('KNELL_TELEGRAM_TOKEN', value);
    expect(entry).toMatchObject({ name: 'KNELL_TELEGRAM_TOKEN', fields: [], changes: [], detail: '' });
  }
});

test('a member: roles, preferences and reports from what to what; not how they sign in, nor where reports go', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  const project = await projectIn(page);
  const changed = async (path: string, body: unknown): Promise<Json> => {
    const answer = await page.post(path, body);
    expect([answer.status, answer.text]).toEqual([expect.any(Number), expect.not.stringContaining('error')]);
    const [{ action, fields, changes, detail, projectName }] = await entriesIn(page);
    return { action, fields, changes, detail, projectName };
  };
  const role = (field: string, before: string, after: string) => ({
    fields: [field],
    changes: [{ field, before, after }],
    detail: '',
  });
  const inDefault = 'role in "default"';
  expect(await changed('/web/users', { name: 'grace', role: 'viewer' })).toEqual({
    ...role('role in all projects', 'none', 'viewer'),
    ...{ action: 'created', projectName: '' },
  });
  const grace = knell.app.engine.read.users().find(({ name }) => name === 'grace')?.id;
  expect(await changed(`/web/users/${grace}`, { role: 'editor' })).toMatchObject(
    role('role in all projects', 'viewer', 'editor'),
  );
  const members = `/web/in/${project}/members`;
  expect(await changed(`${members}/${grace}`, { role: 'viewer' })).toEqual({
    ...role(inDefault, 'default', 'viewer'),
    ...{ action: 'changed', projectName: 'default' },
  });
  expect(await changed(`${members}/${grace}`, { role: 'editor' })).toMatchObject(
    role(inDefault, 'viewer', 'editor'),
  );
  expect(await changed(`${members}/${grace}`, { role: 'default' })).toMatchObject(
    role(inDefault, 'editor', 'default'),
  );
  expect(await changed(members, { name: 'emil', role: 'editor' })).toEqual({
    ...role(inDefault, 'none', 'editor'),
    ...{ action: 'created', projectName: 'default' },
  });
  const chosen = { name: 'ada', timeZone: 'Europe/Riga', clock: '24', theme: 'system' };
  expect(await changed('/web/account', chosen)).toMatchObject({
    fields: ['time zone', 'clock'],
    changes: [
      { field: 'time zone', before: '', after: 'Europe/Riga' },
      { field: 'clock', before: 'auto', after: '24' },
    ],
  });
  const reports = { frequency: 'weekly', address: 'hidden@example.org', present: goodPassword };
  expect(await changed('/web/reports', reports)).toMatchObject({
    fields: ['reports', 'address of reports'],
    changes: [{ field: 'reports', before: 'off', after: 'weekly' }],
  });
  const password = { present: goodPassword, password: 'another good password' };
  await page.post('/web/account/password', password);
  const [entry] = await entriesIn(page, 'subject=member');
  expect(entry).toMatchObject({ fields: ['password'], changes: [] });
  expect((await page.get('/web/audit.jsonl')).text).not.toContain('hidden@');
});

test('an integration for many checks: which they are, the first ten of them', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  const path = `/web/in/${await projectIn(page)}/channels`;
  const made: Json[] = [];
  for (let at = 1; at <= 14; at++) made.push(await knell.create({ name: `job ${at}`, channels: '' }));
  const ids = made.map(({ uuid }) => uuid);
  const mail = { kind: 'email', name: 'ops', value: 'ops@example.org', checks: ids.slice(0, 2) };
  const { id } = (await page.post(path, mail)).json();
  const [{ action, detail }] = await entriesIn(page);
  expect([action, detail]).toEqual(['assigned', 'checks: 2 (job 1, job 2)']);
  await page.post(`${path}/${id}/checks`, { search: '', on: true });
  expect((await entriesIn(page))[0].detail).toMatch(/^checks: 1\d \(job .*, …\)$/);
});

test('an entry of before values were said is read as it was written', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  const before: AuditFact = {
    action: 'changed',
    subject: 'member',
    ...{ subjectId: 'm', name: 'grace', projectId: '', projectName: '' },
    fields: ['role in a project', 'preferences'],
    detail: 'viewer to editor in default',
  };
  knell.app.engine.change.noteAudit(before);
  await knell.restart();
  await page.signIn('ada');
  const [entry] = await entriesIn(page, 'subject=member');
  expect(entry).toMatchObject({ fields: before.fields, detail: before.detail, changes: [] });
  expect((await page.get('/web/audit.csv?subject=member')).text).toContain(before.detail);
});
