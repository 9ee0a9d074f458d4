/** Real browsers for the page's tests: Debian's Chromium and Firefox, driven by playwright-core. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, firefox } from 'playwright-core';
import { browserFolderPrefix } from '../run-folder.ts';
import { closeContexts, watch } from './failed-pages.ts';

export type BrowserName = 'chromium' | 'firefox';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const browserMissing = existsSync(executablePath)
  ? ''
  : `skipped: no Chromium at ${executablePath} (apt-get install chromium, or set CHROMIUM)`;

const firefoxPath = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

export const firefoxMissing = existsSync(firefoxPath)
  ? ''
  : `skipped: no Firefox at ${firefoxPath} (apt-get install firefox-esr, or set FIREFOX)`;

/**
 * The last such flag counts, and playwright-core passes one, too: what it disables of Chromium, and the suggestions of an address
 * bar that nobody sees. Those are two pages of Chromium's own for each window, which took more time than most pages of a test.
 */
const disabledFeatures = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'DialMediaRouteProvider'],
  ...['GlobalMediaControls', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'BlockOriginHeaderModificationOnRedirect', 'Translate'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
];

/** Of this worker: it stays for the next test file, since a start costs three times what a context does. */
let chromiumHere: Browser | null = null;

/** For Chromium, one that other test files had, without anything of theirs: all that a page can leave is in its context. */
export async function openBrowser(name: BrowserName = 'chromium'): Promise<Browser> {
  if (name === 'firefox') return watch(await launched(name));
  if (chromiumHere?.isConnected()) return chromiumHere;
  const browser = watch(await inFolderOfWorker(() => launched(name)));
  chromiumHere = browser;
  // vitest ends its workers so, and kills after a second those that have not ended.
  process.once('SIGTERM', () => void browser.close().finally(() => process.kill(process.pid, 'SIGTERM')));
  return browser;
}

/** Closes what the tests of this file opened in it; none where opening it failed. */
export async function closeBrowser(browser: Browser | null | undefined): Promise<void> {
  if (!browser) return;
  await closeContexts(browser);
  if (browser !== chromiumHere) await browser.close();
}

/** The folder of the test file goes when the file ends, with all processes that have something in it. */
async function inFolderOfWorker<Result>(launch: () => Promise<Result>): Promise<Result> {
  const ofFile = process.env.TMPDIR;
  const folder = join(process.env.TEST_RUN_MEMORY_FOLDER ?? '', `${browserFolderPrefix}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env.TMPDIR = folder;
  try {
    return await launch();
  } finally {
    process.env.TMPDIR = ofFile;
  }
}

function launched(name: BrowserName): Promise<Browser> {
  // An unchanged Firefox speaks WebDriver BiDi.
  if (name === 'firefox') return firefox.launch({ executablePath: firefoxPath, channel: 'moz-firefox' });
  return chromium.launch({
    executablePath,
    handleSIGTERM: false,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${disabledFeatures.join(',')}`,
    ],
  });
}
