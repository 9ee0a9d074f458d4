/** A page in a browser of a phone's width whose complaints are kept, for tests without anybody who is signed in. */
import type { Browser, Page } from 'playwright-core';
import { patienceMs } from '../patience.ts';
import { openBrowser } from './browser.ts';

/** Errors of scripts, and what the browser's console calls errors, are added to `complaints`. Close the browser by `closeBrowser`. */
export async function openOnPhone(
  url: string,
  complaints: string[],
): Promise<{ readonly browser: Browser; readonly page: Page }> {
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
  page.setDefaultTimeout(patienceMs);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(url);
  return { browser, page };
}
