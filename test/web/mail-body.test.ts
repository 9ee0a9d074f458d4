/**
 * A mail full of tricks, sent by SMTP and opened in the page: it is shown, and does nothing. A listener is where the
 * mail would like to call; a check of the same Knell where it would like to ping.
 */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { ownerPage } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';
import { addressOf } from '../support/wire/mail-client.ts';

const domain = 'ping.example.org';

describe.skipIf(browserMissing !== '')('the body of a mail', () => {
  let knell: Knell;
  let browser: Browser;
  let page: Page;
  let trap: Server;
  let check: Json;
  let victim: Json;
  let raw = '';
  /** What got out: calls to the listener, dialogs, windows, requests for anything but the page's own. */
  const escaped: string[] = [];

  beforeAll(async () => {
    trap = createServer((socket) => {
      escaped.push('a connection to the listener');
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    knell = await Knell.start({ env: { KNELL_SMTP: '127.0.0.1:0', KNELL_EMAIL_DOMAIN: domain } });
    const owner = await ownerPage(knell);
    const project = (await owner.get('/web/state')).json().projects[0].id;
    check = await knell.create({ name: 'Mail job' });
    victim = await knell.create({ name: 'Another' });
    raw = evilMail(`http://127.0.0.1:${(trap.address() as AddressInfo).port}`, victim.uuid);
    const transport = createTransport({ ...addressOf(knell.app.smtp), ignoreTLS: true });
    await transport.sendMail({ envelope: { from: 'nas@example.org', to: `${check.uuid}@${domain}` }, raw });
    browser = await openBrowser();
    const context = await browser.newContext({ acceptDownloads: true });
    const [name = '', value = ''] = owner.cookie.split('=');
    await context.addCookies([{ name, value, url: knell.app.httpUrl }]);
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    page.on('dialog', (dialog) => {
      escaped.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on('page', (opened) => escaped.push(`a window: ${opened.url()}`));
    context.on('request', (request) => {
      const { pathname, origin } = new URL(request.url());
      const isOwn = origin === knell.app.httpUrl && /^\/(web\/|assets\/|project\/|b\/)/.test(pathname);
      if (!isOwn && !/^(data|about):/.test(request.url())) escaped.push(`a request: ${request.url()}`);
    });
    await page.goto(`${knell.app.httpUrl}/project/${project}/checks/${check.uuid}`);
  });

  afterAll(async () => {
    await closeBrowser(browser);
    await knell?.stop();
    trap?.close();
  });

  const frame = () => page.frameLocator('iframe[title="The mail\'s HTML"]');

  test('goes to the address that the page shows', async () => {
    await page.locator('.tabs').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitemradio', { name: 'Email', exact: true }).click();
    await page.getByText(`${check.uuid}@${domain}`).waitFor();
  });

  test('is shown as its text first, under its subject', async () => {
    await page.getByRole('button', { name: 'Details of ping 1' }).click();
    await page.getByText('Subject: Backup <b>done</b> – süß').waitFor();
    await page.locator('.body pre').getByText('the plain part: 12 files <script>').waitFor();
    await expect.poll(() => page.locator('.body iframe').count()).toBe(0);
  });

  test('is shown as HTML in a frame that has no origin and no rights', async () => {
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    await frame().getByRole('heading', { name: 'Report of the night' }).waitFor();
    await expect.poll(() => page.locator('.body iframe').getAttribute('sandbox')).toBe('');
    // The picture that came with the mail is the one thing that is loaded: it is part of the mail.
    const picture = frame().getByRole('img', { name: 'part of the mail' });
    await expect.poll(() => picture.evaluate((node: Json) => node.naturalWidth)).toBe(1);
    await expect
      .poll(() => frame().locator('a', { hasText: 'away' }).getAttribute('title'))
      .toMatch(/\/away$/);
    await expect
      .poll(() => frame().locator('[href], form, input, button, link, style, svg, iframe').count())
      .toBe(0);
  });

  test('does nothing, whatever is clicked', async () => {
    const before = page.url();
    for (const text of ['run', 'away', 'top', 'new', 'over', 'styled', 'send'])
      await frame().getByText(text, { exact: true }).click();
    await frame().getByRole('heading', { name: 'Report of the night' }).hover();
    await frame().getByRole('heading', { name: 'Report of the night' }).waitFor();
    // What was in flight has come by then, and is asserted again at the end of the next test.
    for (let turns = 0; turns < 3; turns++)
      await page.evaluate(
        'fetch("/web/state").then((response) => response.json()).then(() => new Promise(requestAnimationFrame))',
      );
    expect(escaped).toEqual([]);
    expect(page.url()).toBe(before);
    expect(await page.evaluate('window.evil')).toBeUndefined();
    expect(await page.title()).toBe('Mail job – Knell');
    expect(await knell.check(victim.uuid)).toMatchObject({ n_pings: 0, status: 'new' });
  });

  test('is shown raw, byte for byte, and downloads so', async () => {
    await page.getByRole('button', { name: 'Raw' }).click();
    const shown = await page.locator('.body pre').textContent();
    expect(shown).toContain('<script>window.top.evil = 1</script>');
    await expect.poll(() => page.locator('.body iframe').count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('ping-1.eml');
    expect(readFileSync(await download.path(), 'latin1')).toContain(raw);
    expect(escaped).toEqual([]);
  });
});

/** Everything by which a mail's HTML could call home at `url`, ping `victim`, run a script or take the page over. */
function evilMail(url: string, victim: string): string {
  const pixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  const run = 'window.top.evil = 1; alert(1)';
  const html = `<!doctype html><html><head>
<meta http-equiv="refresh" content="0;url=${url}/refresh">
<base href="${url}/base/">
<link rel="stylesheet" href="${url}/style.css"><link rel="preconnect" href="${url}">
<link rel="prefetch" href="${url}/prefetch"><link rel="preload" as="image" href="${url}/preload">
<link rel="icon" href="${url}/icon"><link rel="dns-prefetch" href="//127.0.0.1">
<style>@import url(${url}/import.css); body { background: url(${url}/background) }
@font-face { font-family: x; src: url(${url}/font) } h1 { font-family: x }</style>
<script>window.top.evil = 1</script><script src="${url}/script.js"></script>
<title>taken over</title></head>
<body onload="${run}" background="${url}/body">
<h1>Report of the night</h1>
<img src="data:image/gif;base64,${pixel}" alt="part of the mail">
<img src="${url}/pixel.gif" onerror="${run}"><img srcset="${url}/set.gif 2x" alt="">
<img src="/ping/${victim}"><img src="https://knell.invalid/ping/${victim}">
<picture><source srcset="${url}/source"><img alt=""></picture>
<svg onload="${run}"><script>${run}</script><image href="${url}/svg"/><use href="${url}/use#x"/></svg>
<video src="${url}/video" poster="${url}/poster" autoplay></video><audio src="${url}/audio" autoplay></audio>
<object data="${url}/object"></object><embed src="${url}/embed"><iframe src="${url}/frame"></iframe>
<iframe srcdoc="&lt;script&gt;window.top.evil = 1&lt;/script&gt;&lt;img src=${url}/inner&gt;"></iframe>
<p style="background: url(${url}/inline)">styled</p>
<p><a href="javascript:${run}">run</a>
<a href="${url}/away">away</a>
<a href="${url}/top" target="_top" ping="${url}/beacon">top</a>
<a href="${url}/new" target="_blank">new</a></p>
<form action="${url}/form" method="post"><input name="a" autofocus onfocus="${run}">
<input type="image" src="${url}/image" alt=""><button><b>send</b></button>
<button type="button" formaction="javascript:${run}" onclick="${run}">press</button></form>
<p onmouseover="${run}" onclick="${run}">over</p>
</body></html>`;
  const base64 = Buffer.from(html).toString('base64').replace(/.{76}/g, '$&\r\n');
  return [
    'From: nas <nas@example.org>',
    'Subject: =?utf-8?q?Backup_=3Cb=3Edone=3C/b=3E_=E2=80=93_s=C3=BC=C3=9F?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="part"',
    '',
    '--part',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'the plain part: 12 files <script>window.top.evil = 1</script>',
    '--part',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    base64,
    '--part--',
    '',
  ].join('\r\n');
}
