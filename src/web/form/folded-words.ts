/**
 * What the folded parts of the form of a check say beside their titles: how each is set, also where nothing was set. Pure.
 * Invariant: takes the fields as the API names them, from a check or out of the form.
 */
import { planLimits } from '../../domain/accounts/plan-limits.ts';
import { exitCodesPattern } from '../../domain/check/exit-codes.ts';
import type { ProjectSettings } from '../../domain/views/page-view.ts';
import { counted } from '../../domain/words/counted.ts';
import { spanWords } from '../core/words.ts';

type Fields = Readonly<Record<string, unknown>>;

const text = (fields: Fields, name: string): string => String(fields[name] ?? '').trim();
/** What is no number yet counts as not set. */
const amount = (fields: Fields, name: string): number => Number(fields[name] ?? 0) || 0;

function partsIn(words: string, between: RegExp): number {
  return words.split(between).filter((part) => part.trim() !== '').length;
}

/** `slug, tags, description`; of what is set `slug backup, tags prod db, description`. */
export function detailWords(fields: Fields): string {
  const slug = text(fields, 'slug');
  const tags = text(fields, 'tags').split(/\s+/).join(' ');
  const said = [
    ...(slug === '' ? [] : [`slug ${slug}`]),
    ...(tags === '' ? [] : [`${tags.includes(' ') ? 'tags' : 'tag'} ${tags}`]),
    ...(text(fields, 'desc') === '' ? [] : ['description']),
  ];
  return said.join(', ') || 'slug, tags, description';
}

/** `may take up to the grace time (1 hour)`, `may take up to 2 hours, overlaps warn`. */
export function runWords(fields: Fields): string {
  const span = (name: string, words: (span: string) => string): readonly string[] =>
    amount(fields, name) > 0 ? [words(spanWords(amount(fields, name)))] : [];
  const outcome = (name: string, noun: string): readonly string[] => {
    const verb = text(fields, name);
    return verb === 'warn' || verb === 'fail' ? [`${noun} ${verb}`] : [];
  };
  const reports = amount(fields, 'expected_runs');
  const machines = new Set(
    text(fields, 'hosts')
      .split(/\s+/)
      .filter((host) => host !== ''),
  ).size;
  const codes = text(fields, 'exit_codes');
  const rules = partsIn(text(fields, 'results'), /\n/);
  const longest = amount(fields, 'max_runtime');
  return [
    `may take up to ${longest > 0 ? spanWords(longest) : graceWords(amount(fields, 'grace'))}`,
    ...span('min_runtime', (least) => `at least ${least}`),
    ...span('start_grace', (within) => `started within ${within}`),
    ...span('early_tolerance', (early) => `up to ${early} early`),
    ...outcome('unusual_runtime', 'unusual durations'),
    ...outcome('overlap', 'overlaps'),
    ...(codes === '' || !exitCodesPattern.test(codes) ? [] : [`exit statuses ${codes}`]),
    ...(machines > 0 ? [counted(machines, 'machine')] : []),
    ...(reports > 0 ? [`${counted(reports, 'report')} in each period`] : []),
    ...(rules > 0 ? [`${counted(rules, 'rule')} of results`] : []),
  ].join(', ');
}

function graceWords(graceS: number): string {
  return graceS > 0 ? `the grace time (${spanWords(graceS)})` : 'the grace time';
}

/** `at the first failure`, `after 3 failures in a row, up again after 2 successes`. */
export function alertWords(fields: Fields): string {
  const failures = amount(fields, 'alert_after');
  const among = amount(fields, 'alert_of_last');
  const successes = amount(fields, 'recover_after');
  const waitS = amount(fields, 'hold');
  const changes = amount(fields, 'unstable_changes');
  return [
    failures <= 1
      ? 'at the first failure'
      : `after ${failures} failures ${among > 0 ? `among the last ${among}` : 'in a row'}`,
    ...(successes > 1 ? [`up again after ${successes} successes`] : []),
    ...(text(fields, 'depends_on') === '' ? [] : ['not while what it depends on is down']),
    ...(waitS > 0 ? [`waits ${spanWords(waitS)} for that`] : []),
    ...(changes > 0 ? ['one while unstable'] : []),
  ].join(', ');
}

/** What holds for a check that sets nothing of it by itself. */
export type Inherited = Pick<ProjectSettings['project'], 'plan' | 'retention'>;

/** `the last 1,000 pings (default)`, `pings 1 year (from the project)`, `pings 90 days and 2 more rules`. */
export function retentionWords(rules: string, { plan, retention = '' }: Inherited): string {
  const own = rulesWords(rules);
  if (own !== '') return own;
  const inherited = rulesWords(retention);
  if (inherited !== '') return `${inherited} (from the project)`;
  return `the last ${planLimits[plan].pingsMax.toLocaleString()} pings (default)`;
}

/** Empty for no rule. */
function rulesWords(rules: string): string {
  const [first = '', ...others] = rules
    .split('\n')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '');
  return others.length === 0 ? first : `${first} and ${counted(others.length, 'more rule')}`;
}

const keywordPlaces = [
  ['filter_subject', 'subjects'],
  ['filter_body', 'emails'],
  ['filter_http_body', 'HTTP bodies'],
] as const;

/** `none: every ping counts`, `only POST, keywords in subjects and emails`. */
export function filterWords(fields: Fields): string {
  const places = keywordPlaces.flatMap(([name, words]) => (fields[name] === true ? [words] : []));
  const said = [
    ...(fields.manual_resume === true ? ['resumed only by hand'] : []),
    ...(fields.methods === 'POST' ? ['only POST'] : []),
    ...(places.length > 0 ? [`keywords in ${places.join(' and ')}`] : []),
    ...(fields.filter_default_fail === true ? ['without a keyword a failure'] : []),
  ];
  return said.join(', ') || 'none: every ping counts';
}
