/** Real browsers for the page's tests: Debian's Chromium and Firefox, driven by playwright-core. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, firefox } from 'playwright-core';
import { watch } from './failed-pages.ts';

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

export async function openBrowser(name: BrowserName = 'chromium'): Promise<Browser> {
  return watch(await launched(name));
}

function launched(name: BrowserName): Promise<Browser> {
  // An unchanged Firefox speaks WebDriver BiDi.
  if (name === 'firefox') return firefox.launch({ executablePath: firefoxPath, channel: 'moz-firefox' });
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
      `--disable-features=${disabledFeatures.join(',')}`,
    ],
  });
}
