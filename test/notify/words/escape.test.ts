/** Text stays text in every dialect, and a URL stays a link to where it leads. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Escape, escapes } from '../../../src/notify/words/escape.ts';

const runbook = 'https://wiki.example.org/run_book#disk_full';

/** What each dialect takes for this URL: in its brackets, or found by itself up to the next space. */
const linked: readonly (readonly [Escape, string])[] = [
  ['markdown', `<${runbook}>`],
  ['mrkdwn', `<${runbook}>`],
  ['rocketChat', runbook],
  ['zulip', runbook],
  ['linkedHtml', `<a href="${runbook}">${runbook}</a>`],
];

describe.each(linked)('%s', (name, link) => {
  test('leaves a URL as it is, and the sentence around it outside', () => {
    expect(escapes[name](runbook)).toBe(link);
    for (const text of [`See ${runbook}.`, `(${runbook})`, `${runbook}, or`, `"${runbook}"`])
      expect(escapes[name](text)).toContain(link);
  });

  test('keeps brackets that belong to the URL', () => {
    const url = 'https://en.example.org/wiki/Cron_(disambiguation)';
    expect(escapes[name](`(${url})`)).toContain(link.replaceAll(runbook, url));
  });

  test('does not let a URL end its own markup', () => {
    const text = escapes[name]('https://example.org/a>b"c<d|e` f');
    expect(text).not.toMatch(/example\.org\/a[^<>"]*[|`]/);
    expect(text).toContain(link.replaceAll(runbook, 'https://example.org/a'));
  });
});

test('Slack gets none of its control characters, neither in text nor in a code block', () => {
  for (const target of ['mrkdwn', 'mrkdwnCode'] as const)
    expect(escapes[target]('<!channel> a & b')).toBe('&lt;!channel&gt; a &amp; b');
});

test('CommonMark escapes all of its markup, and a line never begins a list, a rule or a heading', () => {
  expect(escapes.markdown('a_b *c* [d](e) `f` <g> #h ~~i~~ |')).toBe(
    'a\\_b \\*c\\* \\[d\\]\\(e\\) \\`f\\` \\<g\\> \\#h \\~\\~i\\~\\~ \\|',
  );
  expect(escapes.markdown('- a\n+ b\n1. c\n---\n===\n2.5 -3')).toBe(
    '\\- a\n\\+ b\n1\\. c\n\\---\n\\===\n2.5 -3',
  );
});

test('CommonMark shows the text that went in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      const shown = escapes.markdown(text).replace(/\\([!-/:-@[-`{-~])/g, '$1');
      expect(shown.replaceAll('\u200b', '')).toBe(text);
    }),
  );
});

test('Rocket.Chat gets a backslash only where it knows one', () => {
  expect(escapes.rocketChat('a_b *c* `d` ~e~ #f')).toBe('a\\_b \\*c\\* \\`d\\` \\~e\\~ \\#f');
  expect(escapes.rocketChat('[a](b) (c) {d}').replaceAll('\u200b', '')).toBe('[a](b) (c) {d}');
  expect(escapes.rocketChat('[a](b)')).not.toContain('](');
});

test('Zulip gets character references, since it knows no backslashes', () => {
  const text = '@**all** #**ops** [a](b) `c` ~~d~~ $$e$$ :tada: <time:0> &lt; > q';
  const escaped = escapes.zulip(text);
  expect(escaped).not.toMatch(/[@*[`~$<>]|:tada:|&(?!#\d+;)/);
  expect(escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(text);
});

test('Slack and HTML get nothing that they take for markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(escapes.html(text)).not.toMatch(/[<>"']/);
      expect(escapes.mrkdwn(text).replace(/<https?:\/\/[^<>|]+>/g, '')).not.toMatch(/[<>]/);
      expect(escapes.mrkdwnCode(text)).not.toMatch(/[<>]|``/);
      expect(escapes.code(text)).not.toContain('``');
    }),
  );
});
