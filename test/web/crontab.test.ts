/** New checks in a real browser: from a crontab, one after the other, and begun by a key from every page of a project. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { Keyboard } from '../support/page/keyboard.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const crontab = `MAILTO=root
# m h dom mon dow user command
15 2 * * *  root  /usr/local/bin/backup.sh
@hourly     www-data  cd /srv && ./sync.py --all
CRON_TZ=America/New_York
0 9 * * 1-5 root /opt/report.sh
@reboot     root  /opt/start.sh
61 * * * *  root  /opt/never.sh
`;

describe.skipIf(browserMissing !== '')('new checks', () => {
  let at: OwnerBrowser;
  let keys: Keyboard;
  let hook = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    keys = new Keyboard(at.page);
    const kept = { kind: 'webhook', name: 'Hook', fields: { url_down: 'https://example.org' } };
    hook = (await at.owner.post(`/web/in/${at.project}/channels`, kept)).json().id;
    await at.knell.create({ name: 'first', slug: 'backup', channels: '' });
  });

  afterAll(() => at?.stop());

  const checks = async (): Promise<readonly Json[]> =>
    (await at.knell.api('GET', '/api/v3/checks/')).json().checks;
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const paste = () => at.page.getByLabel('Paste a crontab');
  /** The same address again would be as if it were loaded again. */
  const openAnew = async (): Promise<void> => {
    await at.open('checks');
    await at.open('new/crontab');
  };
  const jobs = () => at.page.locator('.crontab-jobs');
  const toast = (text: string) => at.page.locator('.toast', { hasText: text });

  for (const [width, height] of [
    [390, 844],
    [1024, 768],
    [1440, 900],
  ] as const)
    test(`are shown before they are created, at ${width} px`, async () => {
      await at.page.setViewportSize({ width, height });
      await at.open('new/crontab');
      const next = at.page.locator('.crontab').getByText('Nothing is created until');
      const top = async () => (await next.boundingBox())?.y ?? 999;
      expect(await top()).toBeLessThan((await paste().boundingBox())?.y ?? 0);
      await expect.poll(() => button('Create checks').getAttribute('aria-disabled')).toBe('true');
      await paste().fill(crontab);
      await jobs().getByText('Daily at 2:15 AM').waitFor();
      await expect
        .poll(() => at.page.locator('.crontab .actions .main').getAttribute('aria-disabled'))
        .toBe('false');
      const zone = at.page.getByLabel('Time zone of the machine');
      const own = await zone.inputValue();
      await zone.fill('Europe/Nowhere');
      await at.page.locator('#tz-error').getByText('Unknown time zone').waitFor();
      await expect.poll(() => zone.getAttribute('aria-invalid')).toBe('true');
      await jobs().getByText('Daily at 2:15 AM').waitFor();
      await zone.fill(own);
      await expect.poll(() => at.page.locator('#tz-error').count()).toBe(0);
      await jobs().getByText('America/New_York').waitFor();
      await at.page.getByText('Runs at boot, not at a time.').waitFor();
      await at.page.getByText('Invalid minute "61": use 0–59.').waitFor();
      await at.page.getByLabel('Its sixth column is the user').isChecked();
      for (const colorScheme of ['light', 'dark'] as const) {
        await at.page.emulateMedia({ colorScheme });
        expect(await at.findings()).toEqual([]);
      }
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    });

  test('are created in one go, by keyboard, without those that are left out; and undone', async () => {
    await keys.press(at.page.getByLabel('Create sync, line 4'), ' ');
    await keys.type(at.page.getByLabel('Name of line 3'), 'Nightly backup');
    await keys.type(at.page.getByLabel('Tags'), 'prod db');
    await keys.press(button('Create 2 checks'));
    await toast('2 checks created.').waitFor();
    await at.page.getByRole('heading', { name: 'Now let the jobs ping' }).waitFor();
    const made = { tags: 'prod db', channels: hook, status: 'new' };
    expect(await checks()).toMatchObject([
      { name: 'first' },
      // The slug was taken.
      { name: 'Nightly backup', slug: 'backup-2', schedule: '15 2 * * *', grace: 7200, ...made },
      {
        name: 'report',
        slug: 'report',
        schedule: '0 9 * * 1-5',
        tz: 'America/New_York',
        grace: 900,
        ...made,
      },
    ]);
    const [, backup, report] = await checks();
    const lines = ((await at.page.locator('.crontab-lines pre').textContent()) ?? '').split('\n');
    expect(lines[0]).toBe('MAILTO=root');
    expect(lines[2]).toContain(
      `root  curl -fsS -m 10 --retry 5 -o /dev/null ${backup.ping_url}/start; /usr/local/bin/backup.sh; `,
    );
    expect(lines[3]).toBe('@hourly     www-data  cd /srv && ./sync.py --all');
    expect(lines[5]).toContain(
      `/opt/report.sh; curl -fsS -m 10 --retry 5 -o /dev/null ${report.ping_url}/$?`,
    );
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await toast('2 checks created.').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await checks()).length).toBe(1);
    // The crontab is still there, to be created another way.
    await button('Create 2 checks').waitFor();
  });

  test('are not ticked where they are there already, and say why one was not created', async () => {
    await at.knell.create({ name: 'backup', slug: 'backup', schedule: '15 2 * * *', tz: 'UTC' });
    await at.open('new/crontab');
    await at.page.getByLabel('Time zone of the machine').fill('UTC');
    await paste().fill('15 2 * * * /usr/local/bin/backup.sh\n0 3 * * * /opt/other.sh');
    await jobs().getByText('A check with this slug and schedule is there already.').waitFor();
    await expect.poll(() => at.page.getByLabel('Create backup, line 1').isChecked()).toBe(false);
    await at.page.getByLabel('Slug of line 2').fill('Not a slug');
    await button('Create 1 check').click();
    expect((await checks()).length).toBe(2);
    await at.page.getByLabel('Slug of line 2').fill('other');
    await at.page.getByLabel('Tags').fill('x'.repeat(500));
    await at.page.getByRole('spinbutton', { name: 'Grace time' }).fill('999');
    await at.page.getByLabel('Unit of: Grace time').selectOption('days');
    await button('Create 1 check').click();
    await at.page.locator('#grace-error').getByText('The grace time must be at most 365 days.').waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.getByRole('spinbutton', { name: 'Grace time' }).fill('1');
    await button('Create 1 check').click();
    await toast('1 check created.').waitFor();
    expect((await checks()).map(({ slug }) => slug)).toEqual(['backup', 'backup', 'other']);
    await button('Show the checks').click();
    await at.page.locator('.row').nth(2).waitFor();
  });

  test('show the crontab with its pings again where one goes back or loads it again, all in sight', async () => {
    await at.page.goBack();
    const pre = at.page.locator('.crontab-lines pre');
    const { ping_url: url } = (await checks()).at(-1) ?? {};
    for (const leave of [async () => {}, () => at.page.reload()]) {
      await leave();
      await expect.poll(() => pre.textContent()).toContain(`${url}/$?`);
    }
    const without = at.page.getByRole('region', { name: 'Without a check' }).getByRole('listitem');
    await expect
      .poll(() => without.allTextContents())
      .toEqual(['Line 1A check with this slug and schedule is there already. /usr/local/bin/backup.sh']);
    await expect
      .poll(() => pre.evaluate((one: Json) => one.scrollWidth - one.clientWidth))
      .toBeLessThanOrEqual(0);
    const { y = 0, height = 0 } = (await pre.boundingBox()) ?? {};
    const copy = at.page.locator('.crontab-lines').getByRole('button', { name: 'Copy' });
    expect((await copy.boundingBox())?.y).toBeGreaterThanOrEqual(y + height);
    const [file] = await Promise.all([
      at.page.waitForEvent('download'),
      at.page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('crontab.txt');
    expect(await at.findings()).toEqual([]);
    await button('Paste another crontab').click();
    await expect.poll(() => paste().inputValue()).toBe('');
    await at.page.locator('textarea:focus').waitFor();
    await at.page.reload();
    await expect.poll(() => paste().inputValue()).toBe('');
    await at.page.goBack();
    await expect.poll(() => pre.textContent()).toContain(`${url}/$?`);
  });

  test('begin with the form where the page is opened anew, also from itself', async () => {
    const pre = at.page.locator('.crontab-lines pre');
    await at.page.keyboard.press('Control+k');
    await at.page.locator('dialog input').fill('paste a crontab');
    await at.page.getByRole('option', { name: 'Paste a crontab' }).first().click();
    await expect.poll(() => paste().inputValue()).toBe('');
    await at.page.goBack();
    await pre.waitFor();
    await button('Show the checks').click();
    await at.page.locator('.row').first().waitFor();
    await at.page.keyboard.press('n');
    await at.page.getByRole('link', { name: 'paste a crontab' }).click();
    await expect.poll(() => paste().inputValue()).toBe('');
  });

  test('are not ticked where a check has the name already, whatever its schedule is', async () => {
    await at.knell.create({ name: 'PGdump', timeout: 86_400 });
    await paste().fill('0 5 * * * /usr/bin/pgdump all\n0 6 * * * /opt/mail.sh');
    await jobs().getByText('A check with this name is there already.').waitFor();
    await expect.poll(() => at.page.getByLabel('Create pgdump, line 1').isChecked()).toBe(false);
    await expect.poll(() => at.page.getByLabel('Create mail, line 2').isChecked()).toBe(true);
    await button('Create 1 check').waitFor();
    await paste().fill('');
  });

  test('are not ticked where a line pings a check already, and name it', async () => {
    const { ping_url: url } = await at.knell.create({ name: 'Photos', slug: 'photos' });
    await openAnew();
    const first = `0 5 * * * /opt/photos.sh && curl -fsS ${url}`;
    await paste().fill(`${first}\n0 6 * * * /opt/videos.sh`);
    await jobs().getByText('It already pings Photos.').waitFor();
    const box = at.page.getByLabel(/^Create photos-2, line 1|^Create photos, line 1/);
    await expect.poll(() => box.isChecked()).toBe(false);
    await expect.poll(() => at.page.getByLabel('Create videos, line 2').isChecked()).toBe(true);
    await button('Create 1 check').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    const before = (await checks()).length;
    await box.check();
    await button('Create 2 checks').click();
    await toast('2 checks created.').waitFor();
    expect((await checks()).length).toBe(before + 2);
  });

  test('say where a line seems to have a column of users, and are not called by it', async () => {
    await openAnew();
    await paste().fill('0 3 * * * /opt/x.sh\n30 4 1 * 1 root /usr/sbin/logrotate');
    await expect.poll(() => at.page.getByLabel('Name of line 2').inputValue()).toBe('logrotate');
    await jobs().getByText('“root” looks like a user').waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('say which slug another check or another line has', async () => {
    await at.open('new/crontab');
    await paste().fill('15 2 * * * /opt/dump.sh\n0 3 * * * /opt/report.sh');
    const slugOf = (line: number) => at.page.getByLabel(`Slug of line ${line}`);
    const said = (line: number) => jobs().locator(`#crontab-twins-${line}`).textContent();
    await expect.poll(() => slugOf(2).inputValue()).toBe('report');
    await expect.poll(async () => [await said(1), await said(2)]).toEqual(['', '']);
    await slugOf(2).fill('other');
    await expect
      .poll(() => said(2))
      .toContain('Another check, “other”, has the slug “other”. Pings by this slug');
    await expect.poll(() => slugOf(2).getAttribute('aria-describedby')).toBe('crontab-twins-2');
    await slugOf(2).fill('dump');
    await expect.poll(() => said(2)).toContain('Another check, “dump”, has the slug “dump”.');
    await expect.poll(() => said(1)).toContain('Another check, “report”, has the slug “dump”.');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.getByLabel('Create dump, line 1').uncheck();
    await expect.poll(() => said(2)).toBe('');
  });

  test('are read anew with and without a column of users', async () => {
    await at.open('new/crontab');
    await paste().fill('0 3 * * * grace /opt/x.sh');
    await expect.poll(() => at.page.getByLabel('Name of line 1').inputValue()).toBe('grace');
    await at.page.getByLabel('Its sixth column is the user').check();
    await expect.poll(() => at.page.getByLabel('Name of line 1').inputValue()).toBe('x');
    await paste().fill('nonsense');
    await at.page.getByText('No job was found in it.').waitFor();
    await paste().fill('');
    await button('Create checks').press('Enter');
    await at.page.getByText('Paste a crontab first.').waitFor();
    await expect.poll(() => paste().getAttribute('aria-invalid')).toBe('true');
    await at.page.locator('textarea:focus').waitFor();
    await paste().fill('0 3 * * * /opt/x.sh');
    await expect.poll(() => at.page.getByText('Paste a crontab first.').count()).toBe(0);
    await at.page.getByLabel('Name of line 1').waitFor();
  });

  test('are added one after the other, each with what the last one had', async () => {
    await at.open('new');
    await at.page.getByLabel('Name').fill('one');
    await at.page.locator('summary', { hasText: 'More details' }).click();
    await at.page.getByLabel('Tags').fill('etl prod');
    await at.page.getByLabel('Cron', { exact: true }).check();
    await at.page.getByLabel('Schedule').fill('5 4 * * *');
    await at.page.getByLabel('Time zone').fill('Asia/Tokyo');
    await at.page.getByRole('spinbutton', { name: 'Grace time' }).fill('2');
    await at.page.getByRole('checkbox', { name: /^Hook/ }).uncheck();
    await keys.press(button('Create and add another'));
    const toast = at.page.locator('.toast', { hasText: 'one was created.' });
    await toast.waitFor();
    await at.page.getByText('The next one has its tags: etl prod.').waitFor();
    await at.page.getByRole('main').getByRole('link', { name: 'one', exact: true }).waitFor();
    expect(await at.findings()).toEqual([]);
    await expect.poll(() => at.page.getByLabel('Name').inputValue()).toBe('');
    // One types on at once.
    await at.page.locator('input[name=name]:focus').waitFor();
    await at.page.keyboard.type('wrong');
    await keys.press(button('Create and add another'));
    await at.page.locator('.toast', { hasText: 'wrong was created.' }).getByRole('button').click();
    await at.page.getByText('wrong was deleted again.').waitFor();
    await at.page.locator('input[name=name]').fill('two');
    await at.page.locator('input[name=name]').press('Enter');
    await at.page.getByRole('heading', { name: 'two' }).waitFor();
    const same = { tags: 'etl prod', schedule: '5 4 * * *', tz: 'Asia/Tokyo', grace: 7200, channels: '' };
    expect((await checks()).slice(-2)).toMatchObject([
      { name: 'one', slug: 'one', ...same },
      { name: 'two', slug: 'two', ...same },
    ]);
  });

  test('are cloned one after the other, with the way back to the check that is cloned', async () => {
    const { uuid, name } = (await checks()).at(-1) ?? { uuid: '', name: '' };
    await at.open(`new/${uuid}`);
    await at.page.getByRole('heading', { name: `Clone ${name}` }).waitFor();
    await at.page.locator(`a[href$="/checks/${uuid}"]`, { hasText: name }).waitFor();
    await keys.press(button('Create and clone again'));
    await at.page.locator('.toast', { hasText: `${name} (copy) was created.` }).waitFor();
    await expect.poll(() => at.page.getByLabel('Name').inputValue()).toBe(`${name} (copy 2)`);
    await at.page.locator('input[name=name]:focus').waitFor();
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: `${name} (copy 2)` }).waitFor();
    const [, first, second] = (await checks()).slice(-3);
    expect([first?.name, second?.name]).toEqual([`${name} (copy)`, `${name} (copy 2)`]);
  });

  test('are begun by n on every page of a project, and nowhere where one types', async () => {
    const pages = [
      'checks',
      'integrations',
      'status-pages',
      'badges',
      'settings',
      `checks/${(await checks())[0]?.uuid}`,
    ];
    for (const name of pages) {
      await at.open(name);
      await at.page.keyboard.press('n');
      await at.page.getByRole('heading', { name: 'New check' }).waitFor();
      await at.page.goBack();
      await at.page.getByRole('heading', { name: 'New check' }).waitFor({ state: 'detached' });
    }
    await at.open('checks');
    await at.page.getByLabel('Search checks').fill('');
    await at.page.keyboard.press('n');
    await expect.poll(() => at.page.getByLabel('Search checks').inputValue()).toBe('n');
    await at.page.evaluate("localStorage.setItem('knell.keys', 'off')");
    await at.open('badges');
    await at.page.keyboard.press('n');
    await at.page.getByRole('heading', { name: 'Badges' }).waitFor();
    await at.page.evaluate("localStorage.removeItem('knell.keys')");
    expect(at.complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
  });
});
