import { expect, test } from 'vitest';
import { spanText } from '../../../src/cli/checks/check-rows.ts';
import { type Column, tableLines, tableStyle, widthOf } from '../../../src/cli/io/table.ts';
import { yamlOf } from '../../../src/cli/io/yaml.ts';
import { checkNamed } from '../../../src/client/find-check.ts';

interface Row {
  readonly name: string;
  readonly status: string;
}

const columns: readonly Column<Row>[] = [
  { title: 'NAME', cell: ({ name }) => name, shrinks: true },
  { title: 'STATUS', cell: ({ status }) => ({ text: status, colour: 'red' }) },
];
const rows = [
  { name: 'a rather long name', status: 'down' },
  { name: '日本', status: 'up' },
];

test('columns are aligned, with wide characters too', () => {
  expect(tableLines(columns, rows, { colours: false, width: null })).toEqual([
    'NAME                STATUS',
    'a rather long name  down',
    '日本                up',
  ]);
});

test('a narrow terminal cuts what may be cut', () => {
  const lines = tableLines(columns, rows, { colours: false, width: 20 });
  expect(lines[1]).toBe('a rather lo…  down');
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(20);
});

test.each([
  [{ isTTY: true, columns: 80 }, {}, true, 80],
  [{ isTTY: true, columns: 80 }, { NO_COLOR: '1' }, false, 80],
  [{ isTTY: true, columns: 80 }, { TERM: 'dumb' }, false, 80],
  [{}, {}, false, null],
])('%j with %j: colours %j, width %j', (stdout, env, colours, width) => {
  expect(tableStyle(stdout, env)).toEqual({ colours, width });
  expect(tableLines(columns, rows, { colours, width })[1]?.includes('\u001b[31m')).toBe(colours);
});

test('what comes from data never controls the terminal', () => {
  const lines = tableLines(columns, [{ name: 'a\u001b[31m\n\u009b', status: '\u2028' }], {
    colours: false,
    width: null,
  });
  expect(lines[1]).toBe('a\\u001b[31m\\u000a\\u009b  \\u2028');
});

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [5400, '1 h 30 min'],
  [3601, '1 h'],
  [90_000, '1 d 1 h'],
])('%i seconds are %s', (seconds, text) => {
  expect(spanText(seconds)).toBe(text);
});

test('YAML has lists, maps and strings that cannot be read as anything else', () => {
  const value = {
    name: 'Nightly backup',
    yes: 'no',
    number: '12',
    text: 'a: b # c\n',
    empty: '',
    none: null,
    list: [1, 'x', { a: [true], b: {} }, []],
    map: { deep: { 'key:': 'é' } },
  };
  expect(yamlOf(value)).toBe(`name: Nightly backup
"yes": "no"
number: "12"
text: "a: b # c\\n"
empty: ""
none: null
list:
  - 1
  - x
  - a:
      - true
    b: {}
  - []
map:
  deep:
    "key:": "é"
`);
  expect(yamlOf([])).toBe('[]\n');
});

test('the beginning of a UUID finds a check, unless another begins so', () => {
  const project = { id: '', name: '' };
  const found = ['abc1', 'abd2', 'abd3'].map((uuid) => ({
    project,
    check: { uuid, name: '', slug: '' },
  })) as unknown as Parameters<typeof checkNamed>[0];
  expect(checkNamed(found, 'ABC').check.uuid).toBe('abc1');
  expect(() => checkNamed(found, 'abd')).toThrow('"abd" may be abd2 (unnamed) or abd3 (unnamed)');
  expect(() => checkNamed(found, 'x')).toThrow(expect.objectContaining({ code: 'not-found' }));
});
