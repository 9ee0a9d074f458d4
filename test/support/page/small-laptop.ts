/** An owner's browser at the width of a small laptop: a check with a long name, and more notices than fit into a line. */
import type { Json } from '../knell.ts';
import { failingHook } from './failing-hook.ts';
import { OwnerBrowser } from './owner-browser.ts';

export const longName = 'Certificate renewal on the public load balancers';

/** Its check has a long name, eight tags and both integrations, and is down. */
export async function smallLaptop(): Promise<{ readonly at: OwnerBrowser; readonly check: Json }> {
  const at = await OwnerBrowser.start({ KNELL_SMTP: '127.0.0.1:0', KNELL_EMAIL_DOMAIN: 'ping.example.org' });
  await failingHook(at);
  const tags = 'alpha beta gamma delta epsilon zeta eta theta';
  const check = await at.knell.create({ name: longName, tags, channels: '*' });
  await at.knell.request(`/ping/${check.uuid}/fail`);
  return { at, check };
}

/** Where the elements begin that a selector finds, of all that are shown. */
export async function shownTops({ page }: OwnerBrowser, selector: string): Promise<ReadonlySet<number>> {
  const tops: readonly number[] = await page
    .locator(selector)
    .evaluateAll((all: Json) =>
      all
        .filter((one: Json) => one.offsetParent !== null)
        .map((one: Json) => one.getBoundingClientRect().top),
    );
  return new Set(tops);
}
