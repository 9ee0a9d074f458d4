/** The form of an integration in a real browser whose network answers late: nothing that is there moves when the rest comes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

const names = [
  'Nightly database backup',
  'Certificate renewal on the public load balancers',
  'Invoice export',
  'Search index rebuild',
  'Payment reconciliation',
  'Off-site copy',
  'Queue cleanup',
  'Warehouse sync',
  'Log rotation',
  'Mailing list import',
  'Thumbnails',
  'Newsletter',
];

interface Shift {
  readonly value: number;
  readonly of: readonly string[];
}

const watchShifts = `(() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => ({
    value: entry.value,
    of: entry.sources.filter(({ node }) => node?.closest?.('form')).map(({ node }) => node.outerHTML.slice(0, 120)),
  })))).observe({ type: 'layout-shift', buffered: true });
})()`;

/** Resolves when what was asked for is drawn. */
const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

describe.skipIf(browserMissing !== '')('the form of an integration', () => {
  let at: OwnerBrowser;
  let mails: MailReceiver;
  let some = '';
  let all = '';

  beforeAll(async () => {
    mails = await MailReceiver.start();
    at = await OwnerBrowser.start({ KNELL_MAIL_URL: mails.url });
    const add = async (name: string): Promise<string> => {
      const body = { kind: 'email', name, value: 'ops@example.org', checks: 'none' };
      return (await at.owner.post(`/web/in/${at.project}/channels`, body)).json().id;
    };
    some = await add('For some');
    all = await add('For all');
    for (const [n, name] of names.entries())
      await at.knell.create({ name, tags: 'prod', channels: n % 2 === 0 ? `${some},${all}` : all });
    await at.page.addInitScript(watchShifts);
  });

  afterAll(async () => {
    await at?.stop();
    await mails?.stop();
  });

  const form = () => at.page.locator('form.check-form');

  /** Opens a form, whose checks come after all else. Returns what moved, whatever the reason. */
  async function shiftsOf(path: string): Promise<readonly Shift[]> {
    let release = (): void => {};
    const isReleased = new Promise<void>((done) => {
      release = done;
    });
    const late = /\/(?:list|rows)(?:\?|$)/;
    await at.page.route(late, async (route) => {
      await isReleased;
      await route.continue();
    });
    await at.open(path);
    await form().getByText('Email address').waitFor();
    await at.page.evaluate(twoFrames);
    release();
    await form().getByText('Checks with a tag').waitFor();
    await expect.poll(() => form().getByRole('radio', { name: 'Checks with a tag' }).isEnabled()).toBe(true);
    if (path.endsWith(some)) await form().getByLabel('Log rotation').waitFor();
    await form().getByText(`All checks (${names.length})`).waitFor();
    await at.page.evaluate(twoFrames);
    await at.page.unroute(late);
    const shifts = await at.page.evaluate<Shift[]>('window.shifts');
    return shifts.filter(({ of }) => of.length > 0);
  }

  test.each([
    [390, 'new'],
    [390, 'some'],
    [390, 'all'],
    [1440, 'some'],
  ])('moves nothing when its checks come, at %i px: %s', async (width, which) => {
    // As high as all of it: what is out of sight moves, too.
    await at.page.setViewportSize({ width, height: 2000 });
    const path = which === 'new' ? 'new/email' : which === 'some' ? some : all;
    const shifts = await shiftsOf(`integrations/${path}`);
    expect(shifts).toEqual([]);
  });
});
