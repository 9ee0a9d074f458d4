/** A Knell whose owner has signed in, in a real browser. For tests of one page. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { SimulatedClock } from '../engine/simulated-clock.ts';
import { Knell } from '../knell.ts';
import { patienceMs } from '../patience.ts';
import { type BrowserName, closeBrowser, openBrowser } from './browser.ts';
import { noteTroubles } from './failed-pages.ts';
import { seriousFindings } from './findings.ts';
import { ownerPage, type PageClient } from './page-client.ts';

interface PlaceAndTime {
  /** Of the server; the browser has its own clock. */
  readonly startMs?: number;
  /** Of the browser. */
  readonly timezoneId?: string;
}

export class OwnerBrowser {
  readonly knell: Knell;
  readonly clock: SimulatedClock;
  /** The same owner without a browser. */
  readonly owner: PageClient;
  /** The id of the project that the first start made. */
  readonly project: string;
  readonly page: Page;
  /** What the browser complains of, and alarms of text that became markup. */
  readonly complaints: string[];
  readonly #browser: Browser;
  #devTools: CDPSession | null = null;

  private constructor(
    parts: Omit<OwnerBrowser, 'stop' | 'open' | 'findings' | 'overflow' | 'emulateTouch'>,
    browser: Browser,
  ) {
    this.knell = parts.knell;
    this.clock = parts.clock;
    this.owner = parts.owner;
    this.project = parts.project;
    this.page = parts.page;
    this.complaints = parts.complaints;
    this.#browser = browser;
  }

  /** `startMs`: when its clock begins, which only moves on request. */
  static async start(
    env: Readonly<Record<string, string>> = {},
    name: BrowserName = 'chromium',
    { startMs = Date.now(), timezoneId }: PlaceAndTime = {},
  ): Promise<OwnerBrowser> {
    const clock = new SimulatedClock(startMs);
    const knell = await Knell.start({ clock, env });
    const owner = await ownerPage(knell);
    const project: string = (await owner.get('/web/state')).json().projects[0].id;
    const browser = await openBrowser(name);
    const context = await browser.newContext({
      viewport: { width: 360, height: 800 },
      ...(timezoneId === undefined ? {} : { timezoneId }),
    });
    const [cookie = '', value = ''] = owner.cookie.split('=');
    await context.addCookies([{ name: cookie, value, url: knell.app.httpUrl }]);
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    noteTroubles(page);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    return new OwnerBrowser({ knell, clock, owner, project, page, complaints }, browser);
  }

  async stop(): Promise<void> {
    await closeBrowser(this.#browser);
    await this.knell.stop();
  }

  async open(name: string): Promise<void> {
    await this.page.goto(`${this.knell.app.httpUrl}/project/${this.project}/${name}`);
    await this.page.getByText('Live', { exact: true }).waitFor();
  }

  /** Serious findings of axe-core, as lines: of the whole page, or of the element that `within` selects. */
  findings(within = 'html'): Promise<readonly string[]> {
    return seriousFindings(this.page, within);
  }

  /** By how many pixels the page is wider than its window. */
  overflow(): Promise<number> {
    return this.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  }

  /** Whether the pointer is a finger from now on. In Chromium only. */
  async emulateTouch(enabled: boolean): Promise<void> {
    this.#devTools ??= await this.page.context().newCDPSession(this.page);
    await this.#devTools.send('Emulation.setTouchEmulationEnabled', { enabled });
  }
}
