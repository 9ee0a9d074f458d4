/**
 * How the manual is searched: which words of a question count, what else they are called, and which lines of a section are shown.
 * Invariant: pure. What people ask has words that the manual does not have; a question without an answer may have a part that has one.
 */
import type { Query } from 'minisearch';

/** Words of a question that say nothing of what is looked for. */
const idle = new Set(
  'a an and are at be by can change do does for from get how i if in is it its me my of on or set should the there this to use used want what when where which why will with you your'.split(
    ' ',
  ),
);

/** What is asked for, and what the manual calls it. Each of a group finds the others. */
const alike: readonly (readonly string[])[] = [
  ['daylight', 'dst', 'summertime', 'clocks'],
  ['silence', 'mute', 'quiet', 'snooze'],
  ['night', 'quiet', 'hours'],
  ['private', 'internal', 'lan'],
  ['network', 'address', 'addresses'],
  ['notification', 'alert'],
  ['integration', 'channel'],
  ['docker', 'container', 'podman'],
  ['k8s', 'kubernetes'],
  ['smtp', 'email', 'mail'],
  ['2fa', 'mfa', 'totp', 'two-factor'],
  ['sso', 'oidc', 'openid'],
  ['ssl', 'tls', 'https'],
  ['upgrade', 'update'],
  ['delete', 'remove'],
  ['downtime', 'maintenance'],
  ['heartbeat', 'ping'],
  ['monitor', 'check'],
];

/** What a reader looks for is seldom in what changed, or in a list of all there is. */
export const pageWeights: Readonly<Record<string, number>> = {
  changelog: 0.1,
  // Few run several machines.
  cluster: 0.5,
  'api-reference': 0.6,
  'admin-api-reference': 0.5,
  'command-reference': 0.7,
  // The page of a thing comes before its commands.
  commands: 0.7,
  settings: 0.8,
};

/** `KNELL_BASE_URL` and `--dry-run` are words. */
function wholeWordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [];
}

/** Two words that are one where they are a thing. */
const joined = new Map([
  ['back', 'up'],
  ['set', 'up'],
  ['sign', 'in'],
  ['log', 'in'],
]);

/** And so are their parts, and what two of them give. */
export function wordsOf(text: string): string[] {
  return wholeWordsOf(text)
    .flatMap((word, at, all) =>
      joined.has(word) && joined.get(word) === all[at + 1] ? [word, `${word}${all[at + 1]}`] : [word],
    )
    .flatMap((word) => (/[_-]/.test(word) ? [word, ...word.split(/[_-]+/)] : [word]))
    .filter((word) => word !== '');
}

/** The words of a question that count; all of them where none does. */
export function askedWords(question: string): readonly string[] {
  const words = [...new Set(wholeWordsOf(question))];
  const counting = words.filter((word) => !idle.has(word));
  return counting.length > 0 ? counting : words;
}

/** A section has to have each of these words, or what else it is called; with `combineWith: 'OR'`, one of them. */
export function queryOf(question: string, combineWith: 'AND' | 'OR'): Query {
  const queries = askedWords(question).map((word): Query => {
    const others = new Set(alike.filter((group) => group.includes(word)).flat());
    others.delete(word);
    // What somebody has typed may be a beginning, or a slip.
    const exactly: Query = { combineWith: 'OR', prefix: false, fuzzy: false, queries: [...others] };
    return others.size === 0 ? word : { combineWith: 'OR', queries: [word, exactly] };
  });
  return { combineWith, queries };
}

/** Returns words that belong together, such as `grace time`, if a text has them as they were typed; else empty. */
export function phraseIn(asked: string, text: string): string {
  const words = askedWords(asked);
  const phrase = words.join(' ');
  return words.length > 1 && text.replace(/\s+/g, ' ').toLowerCase().includes(phrase) ? phrase : '';
}

/** By how much a section counts more that has the words together; a page that is called just that is what is looked for. */
export function phraseWeight(asked: string, heading: string, text: string, page = ''): number {
  const title = asked.trim().toLowerCase();
  if (heading.toLowerCase() === title && page.toLowerCase() === title) return 10;
  if (phraseIn(asked, heading) !== '') return 3;
  return phraseIn(asked, text) === '' ? 1 : 2;
}

/** Pages that list all there is, whose headings are names and not what they explain. */
const references: ReadonlySet<string> = new Set([
  'api-reference',
  'admin-api-reference',
  'command-reference',
  'settings',
  'changelog',
]);

/**
 * What comes first, whatever counts more besides: 3 for a heading of several words that is what was asked, 2 for one that has each word
 * that was asked, or its beginning, 1 for one that has them on a page of reference, 0 for the rest. `path`: of the section.
 */
export function headingRank(asked: string, heading: string, path: string): 0 | 1 | 2 | 3 {
  const title = asked.trim().toLowerCase();
  if (/\s/.test(title) && heading.toLowerCase() === title) return 3;
  const words = wordsOf(heading);
  const isThere = (word: string): boolean => words.some((one) => isBegunBy(one, word));
  if (!askedWords(asked).every(isThere)) return 0;
  return references.has(path.split('#')[0] ?? '') ? 1 : 2;
}

/** Two letters begin too many words. */
function isBegunBy(word: string, beginning: string): boolean {
  return beginning.length > 2 ? word.startsWith(beginning) : word === beginning;
}

/** What an excerpt is to show: words together, else what was asked for, else what else that is called. `terms`: what was found. */
export function shownWords(asked: string, text: string, terms: readonly string[]): readonly string[] {
  const phrase = phraseIn(asked, text);
  if (phrase !== '') return [phrase];
  const low = text.toLowerCase();
  const there = askedWords(asked).filter((word) => low.includes(word));
  return there.length > 0 ? there : terms;
}

/** Characters of an excerpt: two lines on a phone. */
const excerptChars = 140;

/** The part of a section's text in which the found words are first, without its heading. */
export function excerptOf(text: string, found: readonly string[]): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  const places = found.map((word) => plain.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const at = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 40);
  const from = at === 0 ? 0 : plain.indexOf(' ', at) + 1;
  const part = plain.slice(from, from + excerptChars);
  const isWhole = from + excerptChars >= plain.length;
  const shown = isWhole ? part : part.slice(0, Math.max(part.lastIndexOf(' '), excerptChars / 2));
  return `${from > 0 ? '… ' : ''}${shown}${isWhole ? '' : ' …'}`;
}
