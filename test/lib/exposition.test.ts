import { describe, expect, test } from 'vitest';
import { formatFor, renderMetrics } from '../../src/lib/exposition.ts';
import { createMeter } from '../../src/lib/meter.ts';

const ofPrometheus =
  'application/openmetrics-text;version=1.0.0;q=0.75,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=0.0.4;q=0.25,*/*;q=0.1';

test.each([
  ['', 'prometheus'],
  ['*/*', 'prometheus'],
  ['text/plain', 'prometheus'],
  ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'prometheus'],
  [ofPrometheus, 'openmetrics'],
  ['application/openmetrics-text', 'openmetrics'],
  ['Application/OpenMetrics-Text; Version=1.0.0; charset=utf-8', 'openmetrics'],
  ['application/openmetrics-text; version=0.0.1', 'prometheus'],
  ['application/openmetrics-text;q=0, text/plain', 'prometheus'],
  ['application/openmetrics-text;q=0.2, text/plain;q=0.8', 'prometheus'],
  ['application/openmetrics-text;q=high, text/plain;q=0.8', 'prometheus'],
])('the header Accept: %s gets the format of %s', (accept, format) => {
  expect(formatFor(accept)).toBe(format);
});

function someMetrics() {
  const meter = createMeter();
  meter.counter('pings_total', 'Pings, as "OK".', { outcome: 'ok' }).add(3);
  meter.gauge('checks', 'Checks\nof \\all.', { name: 'a "b" \\ c\nd' }).set(-0.5);
  meter.observable('age_seconds', 'Age.', () => Number.POSITIVE_INFINITY);
  const histogram = meter.histogram('commit_seconds', 'Commits.', [0.5, 1, 64]);
  for (const value of [0.25, 1, 100]) histogram.observe(value);
  return meter.collect();
}

describe('metrics as text', () => {
  test('of Prometheus', () => {
    expect(renderMetrics(someMetrics(), 'prometheus').split('\n')).toEqual([
      '# HELP age_seconds Age.',
      '# TYPE age_seconds gauge',
      'age_seconds +Inf',
      '# HELP checks Checks\\nof \\\\all.',
      '# TYPE checks gauge',
      'checks{name="a \\"b\\" \\\\ c\\nd"} -0.5',
      '# HELP commit_seconds Commits.',
      '# TYPE commit_seconds histogram',
      'commit_seconds_bucket{le="0.5"} 1',
      'commit_seconds_bucket{le="1.0"} 2',
      'commit_seconds_bucket{le="64.0"} 2',
      'commit_seconds_bucket{le="+Inf"} 3',
      'commit_seconds_sum 101.25',
      'commit_seconds_count 3',
      '# HELP pings_total Pings, as "OK".',
      '# TYPE pings_total counter',
      'pings_total{outcome="ok"} 3',
      '',
    ]);
  });

  test('of OpenMetrics: a counter without its ending, escaped quotes, an end', () => {
    const text = renderMetrics(someMetrics(), 'openmetrics');
    expect(text).toContain(
      '# HELP pings Pings, as \\"OK\\".\n# TYPE pings counter\npings_total{outcome="ok"} 3',
    );
    expect(text.endsWith('\n# EOF\n')).toBe(true);
  });
});
