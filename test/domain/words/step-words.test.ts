import { expect, test } from 'vitest';
import { largeStepWords } from '../../../src/domain/words/step-words.ts';

test('a step larger than its field is said to be its first value', () => {
  expect(largeStepWords('*/99 * * * *')).toBe('*/99 is only minute 0');
  expect(largeStepWords('*/60 * * * *')).toBe('*/60 is only minute 0');
  expect(largeStepWords('5/55 * * * *')).toBe('5/55 is only minute 5');
  expect(largeStepWords('0 */24 */31 * *')).toBe('*/24 is only hour 0; */31 is only day 1');
});

test('a step within its field is as it reads', () => {
  for (const one of [
    '*/59 * * * *',
    '*/7 9-17/2 */30 */6 */2',
    '0,*/99 * * * *',
    '@daily',
    '*/99',
    '9-5/9 * * * *',
  ])
    expect(largeStepWords(one)).toBe('');
});
