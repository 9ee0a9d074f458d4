/** What is wrong with the form of a maintenance window, all of it at once and each at its field. In a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('what is wrong with a maintenance window', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'backup' });
    const mail = { kind: 'email', name: 'Ops', fields: { value: 'ops@example.org', down: 'yes', up: 'yes' } };
    await at.owner.post(`/web/in/${at.project}/channels`, mail);
    await at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}/settings/maintenance`);
    await at.page.getByRole('button', { name: 'Create maintenance window' }).first().click();
  });
  afterAll(() => at?.stop());

  const label = (name: string) => at.page.getByLabel(name).first();
  const create = () => at.page.getByRole('button', { name: 'Create', exact: true }).click();
  const problems = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      await at.page
        .locator('form .problem')
        .evaluateAll((all) =>
          all.map(({ id, textContent }) => [id.replace('-error', ''), textContent ?? '']),
        ),
    );
  const focused = () => at.page.evaluate<string>('document.activeElement.name');

  test('is said all at once, and goes with each field', async () => {
    // A name is there from the start, and selected: who types replaces it.
    await expect.poll(() => label('Name').inputValue()).toBe('Maintenance');
    await expect.poll(() => at.page.evaluate<string>('getSelection().toString()')).toBe('Maintenance');
    await label('Name').fill('');
    await label('Until').fill('2020-01-01T10:00');
    await label('Checks with a tag').check();
    await label('Only chosen ones').check();
    await create();
    const end = 'The end must be later than the beginning.';
    await expect.poll(problems).toEqual({
      name: 'Enter a name.',
      until: end,
      tags: 'Give a tag.',
      integrations: 'Choose at least one integration.',
    });
    await expect.poll(() => at.page.getByText(end).count()).toBe(1);
    await expect.poll(focused).toBe('name');
    await label('Name').fill('Quiet');
    await label('All checks').check();
    await expect.poll(async () => Object.keys(await problems())).toEqual(['until', 'integrations']);
    await create();
    await expect.poll(focused).toBe('until');
    await at.page.getByRole('button', { name: '1 h' }).click();
    await expect.poll(async () => Object.keys(await problems())).toEqual(['integrations']);
    expect(await at.findings('main')).toEqual([]);
  });

  test('of the times the server is asked, too', async () => {
    await label('Name').fill('');
    await label('Repeatedly').check();
    await label('Begins at').fill('0 2 * * 0');
    await label('Duration').fill('soon');
    await create();
    await expect
      .poll(async () => Object.keys(await problems()))
      .toEqual(['name', 'duration', 'integrations']);
    const { maintenance } = (await at.knell.api('GET', '/api/v3/maintenance/')).json();
    expect(maintenance).toEqual([]);
  });

  test('of a schedule and a duration both are said, and the first has the focus', async () => {
    await label('Name').fill('Nights');
    await label('All integrations (maintenance)').check();
    await label('Begins at').fill('0 2 * * 99');
    await create();
    await expect.poll(async () => Object.keys(await problems())).toEqual(['schedule', 'duration']);
    await expect.poll(focused).toBe('schedule');
    // Where there is no schedule, the duration is looked at, too.
    await label('Begins at').fill('');
    await create();
    await expect.poll(async () => Object.keys(await problems())).toEqual(['schedule', 'duration']);
    await label('Begins at').fill('0 2 * * 0');
    await create();
    await expect.poll(async () => Object.keys(await problems())).toEqual(['duration']);
  });

  test('of a duration that goes on until it begins again, that is said', async () => {
    await label('Time zone').fill('UTC');
    await label('Begins at').fill('0 2 * * *');
    const words = 'Use less than 1 day: by then it begins again, so it would never end.';
    for (const length of ['24h', '25h']) {
      await label('Duration').fill(length);
      await expect.poll(() => at.page.locator('form .times').textContent()).toBe(words);
      await create();
      await expect.poll(problems).toEqual({ duration: words });
    }
    await label('Duration').fill('8d');
    await create();
    await expect
      .poll(problems)
      .toEqual({ duration: 'Write a length such as 90m, 2h or 1d 6h: at least 1 minute, at most 7 days.' });
    await label('Duration').fill('23h');
    await expect.poll(problems).toEqual({});
  });

  test('a duration may have several parts, as the page writes them', async () => {
    const preview = () => at.page.locator('form .times').textContent();
    await label('Begins at').fill('0 2 * * 0');
    for (const [typed, words] of [
      ['1d 1h', '1 day 1 hour'],
      ['1h30m', '1 hour 30 minutes'],
      ['1 day 1 hour', '1 day 1 hour'],
      ['2 Hours', '2 hours'],
    ] as const) {
      await label('Duration').fill(typed);
      await expect.poll(preview).toContain(` for ${words}.`);
    }
    for (const typed of ['1d soon', '1d 1', '90', '1h-30m', '30 mins x']) {
      await label('Duration').fill(typed);
      await expect.poll(preview).toContain('Write a length such as');
    }
    await label('Duration').fill('1d 1h');
    await create();
    await at.page.getByRole('heading', { name: 'Nights' }).waitFor();
    const { maintenance } = (await at.knell.api('GET', '/api/v3/maintenance/')).json();
    expect(maintenance).toMatchObject([{ name: 'Nights', duration: 90_000 }]);
  });
});
