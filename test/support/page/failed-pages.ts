/**
 * What the browsers of a failed test show: their addresses, their text and what they complain of. Where a test fails on another
 * machine only, this is all that there is to go by.
 */
import type { Browser, Page } from 'playwright-core';

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

/** Of all pages that are open now. */
export async function shownPages(): Promise<string> {
  const pages = [...browsers].flatMap((browser) => browser.contexts().flatMap((context) => context.pages()));
  return (await Promise.all(pages.map(shown))).join('\n');
}

async function shown(page: Page): Promise<string> {
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve('(no answer)'), answerMs).unref();
  });
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
