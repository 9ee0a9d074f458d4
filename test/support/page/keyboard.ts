/**
 * A page as somebody uses it who has no mouse: by Tab, arrows, Enter, Space and typing, and by nothing else.
 * Invariant: the focus is only ever moved by keys.
 */
import type { ElementHandle, Locator, Page } from 'playwright-core';
import type { Json } from '../knell.ts';
import { patienceMs } from '../patience.ts';

/** More stops than any page has. */
const stopsMax = 250;
/** For so many stops an element that was found is taken for the one that is wanted. */
const stopsKnown = 20;

export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Tabs forwards until `wanted` has the focus. */
  async reach(wanted: Locator): Promise<void> {
    if (!(await this.#isReached(wanted, 'Tab'))) throw new Error(`Tab does not reach ${wanted}`);
  }

  /** Reaches `wanted`, and presses Enter, or another key. */
  async press(wanted: Locator, key = 'Enter'): Promise<void> {
    await this.reach(wanted);
    await this.#page.keyboard.press(key);
  }

  /** Replaces what a field has. */
  async type(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await this.#page.keyboard.press('Control+a');
    await this.#page.keyboard.type(text);
  }

  /** Of a list of choices that shows one: the first whose words begin so. */
  async choose(list: Locator, words: string): Promise<void> {
    await this.reach(list);
    await this.#page.keyboard.type(words);
  }

  /** Opens a menu, goes down to an item, and takes it. */
  async pick(menu: Locator, item: string | RegExp): Promise<void> {
    await this.press(menu);
    const wanted = this.#page.getByRole('menuitem', { name: item }).first();
    await wanted.waitFor();
    if (!(await this.#isReached(wanted, 'ArrowDown'))) throw new Error(`no arrow goes to ${item}`);
    await this.#page.keyboard.press('Enter');
  }

  async #isReached(wanted: Locator, key: string): Promise<boolean> {
    // Looked up by role and name now and then, and when it was replaced: that takes longer than all the rest of a stop.
    let element = await attached(wanted);
    for (let stops = 1; stops <= stopsMax; stops++) {
      const hasFocus = await element.evaluate(focusOf).catch(() => null);
      if (hasFocus) return true;
      if (hasFocus !== null) await this.#page.keyboard.press(key);
      if (hasFocus === null || stops % stopsKnown === 0) element = await attached(wanted);
    }
    return false;
  }
}

/** What is shown only while its row has the focus is there, and not in sight yet. */
function attached(wanted: Locator): Promise<ElementHandle> {
  return wanted.first().elementHandle({ timeout: patienceMs });
}

/** Null of what is no longer in the page. */
function focusOf(element: Json): boolean | null {
  return element.isConnected ? element === element.ownerDocument.activeElement : null;
}
