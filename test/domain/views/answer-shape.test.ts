/** One declaration, two readers: the compiler and JSON Schema have to agree on what an answer is. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  anyOf,
  choice,
  component,
  count,
  flag,
  listOf,
  mapOf,
  object,
  optional,
  orNull,
  type Sent,
  text,
} from '../../../src/domain/views/answer-shape.ts';

const whole = object({
  name: text('Its name.'),
  kind: choice(['a', 'b']),
  up: choice([0, 1]),
  isLate: optional(flag('Whether it is late.')),
  size: orNull(count('Its size.', 1)),
  owner: orNull(object({ by: text('By whom.') })),
  tags: listOf(text('A tag.')),
  counts: mapOf(count('How many.'), ['all'], 'By name.'),
  either: anyOf(text('A word.'), count('A number.')),
});
type Whole = Sent<typeof whole>;

const sent: Whole = {
  name: 'x',
  kind: 'a',
  up: 1,
  size: null,
  owner: null,
  tags: [],
  counts: { all: 1 },
  either: 2,
};

const { name: _, ...nameless } = sent;

describe('a declared answer', () => {
  const validate = new Ajv2020().compile({ ...whole.schema, additionalProperties: false });

  test.each<[string, Whole]>([
    ['as it is', sent],
    ['with what is optional', { ...sent, isLate: true }],
    ['with what may be null', { ...sent, size: 1, owner: { by: 'me' } }],
    ['the other choice', { ...sent, kind: 'b', up: 0, either: 'word' }],
  ])('%s is of the type and of the schema', (_what, answer) => {
    expect([validate(answer), validate.errors]).toEqual([true, null]);
  });

  /** Each is an error of types, too: the compiler refuses a directive that is of no use. */
  test.each<[string, () => Whole]>([
    // @ts-expect-error
    ['lacks a property', () => nameless],
    // @ts-expect-error
    ['has one more', () => ({ ...sent, more: 1 }) satisfies Whole],
    // @ts-expect-error
    ['has another choice', () => ({ ...sent, kind: 'c' })],
    // @ts-expect-error
    ['has another number', () => ({ ...sent, up: 2 })],
    // @ts-expect-error
    ['has null for what is left out', () => ({ ...sent, isLate: null })],
    // @ts-expect-error
    ['lacks a part of a part', () => ({ ...sent, owner: {} })],
    // @ts-expect-error
    ['has an item of another type', () => ({ ...sent, tags: [1] })],
    // @ts-expect-error
    ['has neither', () => ({ ...sent, either: true })],
  ])('that %s is of neither', (_what, make) => {
    expect(validate(make())).toBe(false);
  });

  test('is referred to by its name once it is a component', () => {
    const named = component('Whole', whole);
    expect(listOf(named).schema).toEqual({ type: 'array', items: { $ref: '#/components/schemas/Whole' } });
    expect(named.definition).toBe(whole.schema);
  });
});
