/**
 * Every page of a server in use, at 320 px and enlarged to 200 %, in light and dark: no faults for axe-core, nothing wider than the
 * window. `KNELL_KEEP_SCREENSHOT=1` keeps pictures of each in test/output/pages, at 1440, 1024 and 390 px, for
 * people to look at, and renews the README's.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { fillScene, sceneMs } from '../support/page/scene.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

const output = fileURLToPath(new URL('../output/pages/', import.meta.url));
/** The README's: the list of a server in use. */
const readmePicture = {
  of: 'checks-light-1440',
  path: fileURLToPath(new URL('../../src/web/screenshot.png', import.meta.url)),
};
const keepsPictures = Boolean(process.env.KNELL_KEEP_SCREENSHOT);

const schemes = ['light', 'dark'] as const;
/** In CSS pixels: enlarged to 200 %, a window has half as many. */
const windows = [
  { of: '320 px', width: 320, height: 640, isTouched: true },
  { of: '200 %', width: 1280 / 2, height: 800 / 2, isTouched: false },
] as const;
const pictured = [
  { width: 1440, height: 900, isTouched: false },
  { width: 1024, height: 768, isTouched: false },
  { width: 390, height: 844, isTouched: true },
] as const;

describe.skipIf(browserMissing !== '')('every page', () => {
  let at: OwnerBrowser;
  let mails: MailReceiver;
  let shown = { check: '', channel: '' };
  let empty = '';
  let incident = '';

  beforeAll(async () => {
    if (keepsPictures) mkdirSync(output, { recursive: true });
    mails = await MailReceiver.start();
    at = await OwnerBrowser.start({ KNELL_MAIL_URL: mails.url }, 'chromium', {
      startMs: Date.now() - sceneMs,
    });
    shown = await fillScene(at);
    const { incidents } = (await at.knell.api('GET', '/api/v3/incidents/?q=nightly')).json();
    incident = incidents[0].id;
    empty = (await at.owner.post('/web/projects', { name: 'Website' })).json().id;
  });

  afterAll(async () => {
    await at?.stop();
    await mails?.stop();
  });

  /** Address, and what is there when the page is complete. */
  const pages = (): readonly (readonly [name: string, path: string, settled: string])[] => {
    const of = (path: string) => `/project/${at.project}/${path}`;
    return [
      ['checks', of('checks'), '.row'],
      ['projects', '/projects', '.overview td'],
      ['wall', '/wall', '.wall .name'],
      ['check', of(`checks/${shown.check}`), '.log li'],
      ['incidents', of('incidents'), '.incidents li'],
      ['incident', of(`incidents/${incident}`), '.last-output'],
      ['new-check', of('new'), 'form.check-form'],
      ['crontab', of('new/crontab'), 'form.crontab'],
      ['clone-check', of(`new/${shown.check}`), 'form.check-form'],
      ['integrations', of('integrations'), '.integrations li'],
      ['matrix', of('integrations?view=matrix'), '.matrix'],
      ['new-email', of('integrations/new/email'), 'form.check-form'],
      ['new-webhook', of('integrations/new/webhook'), 'form.check-form'],
      ['integration', of(`integrations/${shown.channel}`), 'form.check-form'],
      ['status-pages', of('status-pages'), '.status-page'],
      ['maintenance', of('settings/maintenance'), '.maintenance'],
      ['badges', of('badges'), 'img'],
      ['settings', of('settings'), '.line'],
      ['members', of('settings/members'), '.members td'],
      ['server', '/server', '.settings li'],
      ['account', '/account', '.line'],
      ['audit', '/audit', '.audit li'],
      ['reports', '/reports', '.report-head'],
      ['empty-checks', `/project/${empty}/checks`, '.first-steps'],
      ['empty-incidents', `/project/${empty}/incidents`, '.no-incidents'],
      ['no-incident', of(`incidents/${empty}`), 'h1'],
      ['empty-integrations', `/project/${empty}/integrations`, '.gallery'],
      ['empty-maintenance', `/project/${empty}/settings/maintenance`, 'main button'],
      ['empty-status-pages', `/project/${empty}/status-pages`, 'main button'],
      ['public-status', '/status/northwind', 'h1'],
      ['no-page', of('nowhere'), 'h1'],
      ['no-project', '/project/none/checks', 'h1'],
    ];
  };

  const signedOut: readonly (readonly [name: string, path: string, settled: string])[] = [
    ['sign-in', '/sign-in', 'form'],
    ['set-password', '/set-password#over', 'h1'],
  ];

  async function sizeTo({ width, height, isTouched }: (typeof windows | typeof pictured)[number]) {
    await at.page.setViewportSize({ width, height });
    await at.emulateTouch(isTouched);
  }

  /** What is wrong with the page that is shown, in each window and scheme. */
  async function faults(name: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const window of windows) {
      const { of } = window;
      await sizeTo(window);
      if (window.isTouched) for (const field of await smallFields()) found.push(`${name}: ${field}`);
      if (window.isTouched) for (const word of await brokenWords()) found.push(`${name}, ${of}: ${word}`);
      for (const colorScheme of schemes) {
        await at.page.emulateMedia({ colorScheme });
        const where = `${name}, ${of}, ${colorScheme}`;
        for (const finding of await at.findings()) found.push(`${where}: ${finding}`);
        const overflow = await at.overflow();
        if (overflow > 0) found.push(`${where}: ${overflow} px wider than the window`);
      }
    }
    return found;
  }

  /** Safari on a phone enlarges the whole page for a field whose text is smaller than 16 px. */
  function smallFields(): Promise<readonly string[]> {
    return at.page.evaluate<string[]>(`
      [...document.querySelectorAll('input:not([type=checkbox], [type=radio]), select, textarea')]
        .filter((field) => field.checkVisibility() && parseFloat(getComputedStyle(field).fontSize) < 16)
        .map((field) => 'text of ' + field.tagName + ' ' + (field.name || field.className) + ' is below 16 px')
    `);
  }

  /** Words that are broken within themselves. Longer names without blanks may be; what is only for screen readers has no space. */
  function brokenWords(): Promise<readonly string[]> {
    return at.page.evaluate<string[]>(`{
      const isShown = (element) => element.closest('body') === null || element === document.body ||
        (element.getBoundingClientRect().width > 1 && isShown(element.parentElement));
      const broken = [];
      const range = document.createRange();
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const within = text.parentElement.closest('button, a, h1, h2, h3, th, td, label, legend, li');
        if (!within?.checkVisibility() || text.parentElement.closest('pre, code')) continue;
        for (const { 0: word, index } of text.data.matchAll(/(?<![\\p{L}\\p{N}])\\p{L}{2,16}(?![\\p{L}\\p{N}])/gu)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (tops.size > 1 && isShown(text.parentElement)) broken.push('"' + word + '" is broken in ' + text.data);
        }
      }
      broken;
    }`);
  }

  async function keepPictures(name: string): Promise<void> {
    if (!keepsPictures) return;
    for (const window of pictured) {
      const { width } = window;
      for (const colorScheme of schemes) {
        await sizeTo(window);
        await at.page.emulateMedia({ colorScheme });
        // What is fixed to the window is where one begins to read.
        await nextFrame('scrollTo(0, 0)');
        // Taking a picture of more than the window would end the emulation of touch.
        const height = await at.page.evaluate<number>('document.documentElement.scrollHeight');
        await at.page.setViewportSize({ width, height });
        await nextFrame();
        const file = `${name}-${colorScheme}-${width}`;
        await at.page.screenshot({ path: `${output}${file}.png` });
        if (file === readmePicture.of) await at.page.screenshot({ path: readmePicture.path });
      }
    }
  }

  /** Charts follow the width a frame later. */
  async function nextFrame(script = '0'): Promise<void> {
    await at.page.evaluate(
      `${script}, new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`,
    );
  }

  /** A page in a state that has no address. */
  async function opened(
    name: string,
    path: string,
    press: string,
    url = at.knell.app.httpUrl,
  ): Promise<readonly string[]> {
    await at.page.goto(url + path);
    await at.page.getByRole('button', { name: press }).first().click();
    // In another width something else would be below it, and look as if it were pointed at.
    await at.page.mouse.move(0, 0);
    const found = await faults(name);
    await keepPictures(name);
    return found;
  }

  async function walk(entries: readonly (readonly [string, string, string])[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const [name, path, settled] of entries) {
      await at.page.goto(at.knell.app.httpUrl + path);
      await at.page.locator(settled).first().waitFor();
      found.push(...(await faults(name)));
      await keepPictures(name);
    }
    return found;
  }

  test('has no faults and fits, at 320 px and enlarged to 200 %', async () => {
    expect(await walk(pages())).toEqual([]);
    // The browser itself reports the project that there is not.
    expect(at.complaints.filter((text) => !text.includes('status of 404'))).toEqual([]);
  });

  test('has none with a form or a menu open', async () => {
    const of = (path: string) => `/project/${at.project}/${path}`;
    expect(await opened('edit-status-page', of('status-pages'), 'Edit Northwind status')).toEqual([]);
    expect(await opened('edit-maintenance', of('settings/maintenance'), 'Edit Sundays')).toEqual([]);
    expect(
      await opened('new-maintenance', `/project/${empty}/settings/maintenance`, 'Create maintenance window'),
    ).toEqual([]);
    expect(await opened('new-status-page', `/project/${empty}/status-pages`, 'Create status page')).toEqual(
      [],
    );
    expect(await opened('set-up-codes', '/account', 'Set up…')).toEqual([]);
    // A passkey belongs to a name, never to an address.
    const url = at.knell.app.httpUrl.replace('127.0.0.1', 'localhost');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url }]);
    expect(await opened('add-passkey', '/account', 'Add a passkey…', url)).toEqual([]);
    expect(await opened('edit-setting', '/server', 'Change Private networks for integrations')).toEqual([]);
    expect(await opened('menu', '/account', 'account of ada')).toEqual([]);
  });

  test('has none in the middle of the first steps', async () => {
    const { id } = (await at.owner.post('/web/projects', { name: 'Day one' })).json();
    await at.page.goto(`${at.knell.app.httpUrl}/project/${id}/checks`);
    await at.page.getByRole('link', { name: 'Create your first check' }).click();
    await at.page.locator('form.check-form input').first().fill('Nightly backup');
    await at.page.getByRole('button', { name: 'Create check' }).click();
    await at.page.locator('.waiting-ping').waitFor();
    expect(await faults('first-steps')).toEqual([]);
    await keepPictures('first-steps');
  });

  test('has none before one is signed in, either', async () => {
    await at.page.context().clearCookies();
    expect(await walk(signedOut)).toEqual([]);
  });
});
