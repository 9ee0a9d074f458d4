/** Wrong numbers in the form of a check, in a real browser: each field is judged for itself, in the same words wherever it is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const aboveZero = 'Enter a number above 0, or leave it empty.';
const aYear = 'At most 365 days, or empty.';
const outcomes = 'From 1 to 20, or empty.';

interface Words {
  readonly small: string;
  readonly large: string;
}

const span = (name: string): Words => ({
  small: `${name} must be at least one minute.`,
  large: `${name} must be at most 365 days.`,
});
const range = (words: string): Words => ({ small: words, large: words });

/** By field, in the order of the form. */
const fields: Readonly<Record<string, Words>> = {
  timeout: span('The interval'),
  grace: span('The grace time'),
  max_runtime: { small: aboveZero, large: aYear },
  min_runtime: { small: aboveZero, large: aYear },
  start_grace: { small: aboveZero, large: aYear },
  early_tolerance: { small: aboveZero, large: aYear },
  unusual_factor: range('From 1 to 100, or empty.'),
  expected_runs: range('From 1 to 1000, or empty.'),
  alert_after: range(outcomes),
  alert_of_last: range(outcomes),
  recover_after: range(outcomes),
  hold: { small: aboveZero, large: 'At most 10 minutes, or empty.' },
  unstable_changes: range('From 1 to 50, or empty.'),
  unstable_window: range('From one minute to one day, or empty.'),
};
const names = Object.keys(fields);
const farTooLarge = '99999999';

describe.skipIf(browserMissing !== '')('wrong numbers in the form of a check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const field = (name: string) => form().locator(`[name=${name}]`);
  const said = () =>
    form()
      .locator('.problem')
      .evaluateAll((all) => all.map(({ id, textContent }) => [id.replace(/-error$/, ''), textContent]));

  const openNew = async (): Promise<void> => {
    await at.open('new');
    for (const part of ['Runs', 'Alerts'])
      await form()
        .locator('summary', { hasText: new RegExp(`^${part}`) })
        .click();
  };

  /** Every answer about the fields is awaited: what was said before is the same for some of them. */
  const create = async (): Promise<void> => {
    const judged = at.page.waitForResponse((one) => one.url().endsWith('/check-draft'));
    await form().getByRole('button', { name: 'Create check' }).click();
    await judged;
  };

  const refuses = async (typed: Readonly<Record<string, string>>, words: readonly (readonly string[])[]) => {
    const before = await Promise.all(
      Object.keys(typed).map(async (name) => [name, await field(name).inputValue()] as const),
    );
    for (const [name, value] of Object.entries(typed)) await field(name).fill(value);
    await create();
    await expect.poll(said, { message: JSON.stringify(typed) }).toEqual(words);
    for (const [name, value] of before) await field(name).fill(value);
    await expect.poll(said).toEqual([]);
  };

  test('each number that is too small or too large, by itself', async () => {
    await openNew();
    for (const [name, { small, large }] of Object.entries(fields)) {
      await refuses({ [name]: '-3' }, [[name, small]]);
      await refuses({ [name]: '0' }, [[name, small]]);
      await refuses({ [name]: farTooLarge }, [[name, large]]);
    }
    expect((await at.knell.api('GET', '/api/v3/checks/')).json().checks).toEqual([]);
  });

  test('several at once, in the same words', async () => {
    await openNew();
    const all = (value: string) => Object.fromEntries(names.map((name) => [name, value]));
    await refuses(
      all('-3'),
      names.map((name) => [name, fields[name]?.small ?? '']),
    );
    await refuses(
      all(farTooLarge),
      names.map((name) => [name, fields[name]?.large ?? '']),
    );
    await refuses({ min_runtime: '-3', start_grace: '-3' }, [
      ['min_runtime', aboveZero],
      ['start_grace', aboveZero],
    ]);
  });

  test('none is blamed for what is wrong with another one', async () => {
    await openNew();
    await refuses({ grace: '-3', min_runtime: '5' }, [['grace', fields.grace?.small ?? '']]);
    await refuses({ max_runtime: '-3', min_runtime: '5' }, [['max_runtime', aboveZero]]);
    await refuses({ alert_after: farTooLarge, alert_of_last: '4' }, [['alert_after', outcomes]]);
    // Two that are right by themselves, beside one that is wrong.
    await refuses({ max_runtime: '5', min_runtime: '6', hold: '-3' }, [
      ['min_runtime', 'That is more than what it may take at most: every run would fail.'],
      ['hold', aboveZero],
    ]);
  });
});
