/** A real browser for the page's tests: Debian's Chromium, driven by playwright-core; null where there is none. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const browserMissing = existsSync(executablePath)
  ? ''
  : `skipped: no Chromium at ${executablePath} (apt-get install chromium, or set CHROMIUM)`;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
