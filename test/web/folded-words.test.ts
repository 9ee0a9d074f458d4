/** What the folded parts of the form of a check say, of a new one and of one that has something set. */
import { expect, test } from 'vitest';
import {
  alertWords,
  detailWords,
  filterWords,
  retentionWords,
  runWords,
} from '../../src/web/form/folded-words.ts';

test('says of each part how it is where nothing is set', () => {
  expect(runWords({ grace: 3600 })).toBe('may take up to the grace time (1 hour)');
  expect(runWords({ grace: Number.NaN })).toBe('may take up to the grace time');
  expect(alertWords({})).toBe('at the first failure');
  expect(retentionWords('', { plan: 'paid' })).toBe('the last 1,000 pings (default)');
  expect(retentionWords(' ', { plan: 'free', retention: '' })).toBe('the last 100 pings (default)');
  expect(filterWords({})).toBe('none: every ping counts');
  const unset = { alert_after: 1, alert_of_last: 0, recover_after: 1, depends_on: '', hold: 0 };
  expect(alertWords({ ...unset, unstable_changes: 0 })).toBe('at the first failure');
  expect(filterWords({ methods: '', manual_resume: false, filter_body: false, success_kw: 'ok' })).toBe(
    'none: every ping counts',
  );
});

test('says of the details what is set, and what they are where nothing is', () => {
  expect(detailWords({ slug: '', tags: ' ' })).toBe('slug, tags, description');
  expect(detailWords({ slug: 'dump', tags: 'prod  db', desc: 'Call 555.' })).toBe(
    'slug dump, tags prod db, description',
  );
  expect(detailWords({ tags: 'prod' })).toBe('tag prod');
});

test('says of runs what is set', () => {
  expect(runWords({ max_runtime: 7200, overlap: 'warn', unusual_runtime: 'fail' })).toBe(
    'may take up to 2 hours, unusual durations fail, overlaps warn',
  );
  expect(
    runWords({ grace: 60, min_runtime: 60, start_grace: 300, early_tolerance: 30, exit_codes: '24=warning' }),
  ).toBe(
    'may take up to the grace time (1 minute), at least 1 minute, started within 5 minutes, up to 30 seconds early, exit statuses 24=warning',
  );
  expect(runWords({ hosts: 'db-1 db-2', expected_runs: 1, results: 'files: below 1\n' })).toBe(
    'may take up to the grace time, 2 machines, 1 report in each period, 1 rule of results',
  );
});

test('says of alerts what holds them back, and takes no number for not set', () => {
  expect(alertWords({ alert_after: 3 })).toBe('after 3 failures in a row');
  expect(alertWords({ alert_after: 3, alert_of_last: 5, recover_after: 2 })).toBe(
    'after 3 failures among the last 5, up again after 2 successes',
  );
  expect(alertWords({ alert_after: Number.NaN, depends_on: 'db', hold: 120, unstable_changes: 4 })).toBe(
    'at the first failure, not while what it depends on is down, waits 2 minutes for that, one while unstable',
  );
});

test('says of retention the first rule, how many more, and which are of the project', () => {
  const inherited = { plan: 'paid', retention: 'pings 1 year\nbodies 3 days' } as const;
  expect(retentionWords('', inherited)).toBe('pings 1 year and 1 more rule (from the project)');
  expect(retentionWords('pings 90 days\n', inherited)).toBe('pings 90 days');
  expect(retentionWords('pings 90 days\nfailures 1 year', inherited)).toBe('pings 90 days and 1 more rule');
  expect(retentionWords('pings 90 days\nfailures 1 year\nbodies 3 days', { plan: 'free' })).toBe(
    'pings 90 days and 2 more rules',
  );
});

test('says of filters those that are on', () => {
  expect(filterWords({ manual_resume: true, methods: 'POST' })).toBe('resumed only by hand, only POST');
  expect(filterWords({ filter_subject: true, filter_http_body: true, filter_default_fail: true })).toBe(
    'keywords in subjects and HTTP bodies, without a keyword a failure',
  );
});
