/** The icons of kinds of integration: where there are only icons, they say which kind it is. */
import { expect, test } from 'vitest';
import { kinds } from '../../src/integrations/all.ts';

test('each kind has an icon of its own', () => {
  const icons = Object.values(kinds).map(({ icon }) => icon);
  expect(icons.filter((icon, at) => icons.indexOf(icon) !== at)).toEqual([]);
});
