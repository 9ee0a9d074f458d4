/** Answers a question of the page. A press within a moment of the question is none, since nobody has read it by then. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export async function answerYes(page: Page, button: string): Promise<void> {
  const question = page.locator('dialog[open]');
  await question.waitFor();
  await expect
    .poll(async () => {
      if (await question.isVisible()) await question.getByRole('button', { name: button }).press('Enter');
      return question.count();
    })
    .toBe(0);
}
