/**
 * What a search finds, in JSON: the same for the API, the command and the page. Not here: how it is found (`http/api/search`).
 * Invariant: who may not ping gets no UUID of a check.
 */
import { schemes, signals } from '../check/ping.ts';
import {
  choice,
  component,
  count,
  flag,
  instant,
  listOf,
  object,
  optional,
  orNull,
  type Sent,
  text,
  url,
} from './answer-shape.ts';
import { uniqueKey, uuid } from './api-answers.ts';

/** One of the two, by the key. */
const identity = {
  uuid: optional(uuid('Identifies the check; for read-write keys.')),
  unique_key: optional(uniqueKey('The same for those who may not ping.')),
};

const foundCheck = object({
  ...identity,
  name: text('Its name.'),
  slug: text('Its slug.'),
  tags: text('Its tags, with blanks between.'),
  desc: text('The beginning of its description: what is searched of it.'),
});

const foundOutput = object({
  ...identity,
  name: text('The name of the check, or else its slug.'),
  n: count('The number of the ping.', 1),
  date: instant('When it came.'),
  type: choice(signals),
  scheme: choice(schemes),
  line: count('The first line that has all words, from 1; of words on several lines that of the longest.', 1),
  excerpt: text('A part of that line, without control characters; … where it was cut.'),
  marks: listOf(listOf(count('From and to, in UTF-16 code units of the excerpt.'))),
  body_url: optional(url('Where the whole output is; for read-write keys.')),
});
export type FoundOutputAnswer = Sent<typeof foundOutput>;

const searched = object({
  pings: count('Outputs that were read for this answer.'),
  bytes: count('Bytes that they have.'),
  from: orNull(
    instant('Back to where all outputs have been searched; null: back to the oldest that is kept.'),
  ),
  to: instant('From where: now, `until`, or where the answer before this one ended.'),
  complete: flag('Nothing is left to search. Otherwise there may be more, and `next` goes on.'),
});

export const searchAnswer = component(
  'Search',
  object({
    checks: optional(listOf(foundCheck)),
    n_checks: optional(
      count('All checks that match; `checks` has the first 100. Absent with `after`, as `checks` is.'),
    ),
    outputs: optional(listOf(foundOutput)),
    searched: optional(searched),
    next: orNull(text('The cursor with which to go on, as `after`; null when all was searched.')),
  }),
);
export type SearchAnswer = Sent<typeof searchAnswer>;
