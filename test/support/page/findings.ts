/** What axe-core finds wrong on a page, as lines. The script comes from the test: the page's policy lets nothing else in. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { Json } from '../knell.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What is serious or critical, of the whole page or of the element that `within` selects. */
export function seriousFindings(page: Page, within = 'html'): Promise<readonly string[]> {
  // A rule's own impact is that of all that it finds: what could find only lesser things, a third of the time, need not run.
  const lesser = `axe._audit.rules
    .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
    .map(({ id }) => [id, { enabled: false }])`;
  return found(
    page,
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'], selectors: false, rules: Object.fromEntries(${lesser}) })
      .then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'))`,
  );
}

/** Whatever its impact is. */
export function allFindings(page: Page): Promise<readonly string[]> {
  return found(
    page,
    `axe.run({ resultTypes: ['violations'], selectors: false }).then(({ violations }) => violations)`,
  );
}

/** Chosen there: everything that passed comes to hundreds of kilobytes for each page. */
async function found(page: Page, expression: string): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  const violations: Json = await page.evaluate(expression);
  return violations.map(({ id, nodes }: Json) => `${id}: ${nodes[0].html}`);
}
