/** Whether what has the focus is seen, at every stop of Tab: covered by nothing, within the window, with a ring that is whole. */
import type { Page } from 'playwright-core';

/** More stops than any page of the tests has. */
const stopsMax = 300;

/** What is wrong with what has the focus, in words; empty for nothing, null where nothing has it. */
const faultOfFocus = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const name = one.tagName + ' ' + (one.getAttribute('aria-label') || one.labels?.[0]?.textContent || one.textContent).trim().slice(0, 40);
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  // A box may lie unseen below the picture of its row, of which the ring is then.
  const isSeen = shown && [one, ...(one.labels ?? []), one.closest('.pick')].some((part) => part?.contains(shown) || shown.contains(part));
  if (!isSeen) return name + ': covered by ' + (shown ? shown.tagName + '.' + shown.className : 'the edge of the window');
  // Around the title of a row, the ring would go through the next line: it is around the row.
  const ringed = one.matches('.row .what > a, .incidents > li > a') ? one.closest('.row, li') : one;
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(ringed);
  // So have the parts of a date, the last of which has one of the browser's own.
  const hasAnother = one.closest('.pick') !== null || one.type === 'date';
  if (outlineStyle === 'none' || outlineWidth === '0px') return hasAnother ? '' : name + ': no ring';
  const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  for (let box = one.parentElement; box && box !== document.documentElement; box = box.parentElement) {
    const { overflowX, position } = getComputedStyle(box);
    if (position === 'sticky' || position === 'fixed') break;
    if (overflowX === 'visible') continue;
    const edge = box.getBoundingClientRect();
    if (left - ring < edge.left - 0.5 || right + ring > edge.right + 0.5) return name + ': ring cut off by .' + box.className;
  }
  return '';
})()`;

/** Of all stops until the focus leaves the page, each as a line. Begins at the start of the page, or with Shift at its end. */
export async function focusFaults(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<readonly string[]> {
  const found: string[] = [];
  const from = key === 'Tab' ? '0' : 'document.body.scrollHeight';
  await page.evaluate(`document.activeElement?.blur(); scrollTo(0, ${from})`);
  for (let stops = 0; stops < stopsMax; stops++) {
    await page.keyboard.press(key);
    const fault = await page.evaluate<string | null>(faultOfFocus);
    if (fault === null) return found;
    if (fault !== '') found.push(`${key}: ${fault}`);
  }
  throw new Error(`the focus does not leave the page within ${stopsMax} stops`);
}
