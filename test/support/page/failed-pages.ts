/**
 * What the browsers of a failed test show: their addresses, their text and what they complain of. Where a test fails on another
 * machine only, this is all that there is to go by. After that, no dialog is open.
 */
import type { Browser, Page } from 'playwright-core';
import { pause } from '../real-time.ts';

const charsShown = 600;
const answerMs = 5000;

const browsers = new Set<Browser>();
const troubles = new WeakMap<Page, string[]>();

export function watch(browser: Browser): Browser {
  browsers.add(browser);
  browser.on('disconnected', () => browsers.delete(browser));
  return browser;
}

/** From now on, what `page` cannot load is kept. */
export function noteTroubles(page: Page): void {
  const noted: string[] = [];
  troubles.set(page, noted);
  page.on('crash', () => noted.push('the page crashed'));
  page.on('requestfailed', (request) => noted.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.status() >= 400) noted.push(`${response.url()}: ${response.status()}`);
  });
}

/** What a failed test left open would fail all that come after it, each by a minute of waiting. */
export async function closeDialogs(): Promise<void> {
  const close = "for (const one of document.querySelectorAll('dialog[open]')) one.close()";
  await Promise.all(
    openPages().map((page) => Promise.race([page.evaluate(close).catch(String), pause(answerMs)])),
  );
}

export async function closeContexts(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** What a test file did not close would go on asking its server, which is gone, while other files run. */
export async function closeAllContexts(): Promise<void> {
  await Promise.all([...browsers].map(closeContexts));
}

/** Of all pages that are open now. */
export async function shownPages(): Promise<string> {
  return (await Promise.all(openPages().map(shown))).join('\n');
}

function openPages(): readonly Page[] {
  return [...browsers].flatMap((browser) => browser.contexts().flatMap((context) => context.pages()));
}

async function shown(page: Page): Promise<string> {
  const late = pause(answerMs).then(() => '(no answer)');
  const text = page.evaluate<string>(
    `[
      document.visibilityState, document.hasFocus() ? 'focused' : 'not focused', document.activeElement?.outerHTML.slice(0, 100),
      ...[...document.querySelectorAll('dialog')].map((one) => '<dialog class="' + one.className + '"' + (one.open ? ' open' : '') + '>'),
      document.body.innerText.replace(/\\s+/g, ' ').slice(0, ${charsShown})
    ].join('\\n  ')`,
  );
  const said = await Promise.race([text.catch(String), late]);
  return [page.url(), said, ...(troubles.get(page) ?? []).slice(-10)].join('\n  ');
}
