/**
 * A page as somebody uses it who has no mouse: by Tab, arrows, Enter, Space and typing, and by nothing else.
 * Invariant: the focus is only ever moved by keys.
 */
import type { Locator, Page } from 'playwright-core';
import { patienceMs } from '../patience.ts';

/** More stops than any page has. */
const stopsMax = 250;

export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Tabs forwards until `wanted` has the focus. */
  async reach(wanted: Locator): Promise<void> {
    // What is shown only while its row has the focus is there, and not in sight yet.
    await wanted.first().waitFor({ state: 'attached' });
    for (let stops = 0; stops < stopsMax; stops++) {
      if (await this.#isFocused(wanted)) return;
      await this.#page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${wanted}`);
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
    for (let steps = 0; steps < stopsMax; steps++) {
      if (await this.#isFocused(wanted)) return this.#page.keyboard.press('Enter');
      await this.#page.keyboard.press('ArrowDown');
    }
    throw new Error(`no arrow goes to ${item}`);
  }

  #isFocused(wanted: Locator): Promise<boolean> {
    return wanted
      .first()
      .evaluate((one) => one === one.ownerDocument.activeElement, null, { timeout: patienceMs })
      .catch(() => false);
  }
}
