/**
 * Presets on outputs of the programs themselves: rsync 3.5, restic, borg 1, pg_dump 15, duplicity, tar and rclone of Debian 12, run on a
 * few files. The output of robocopy is written by hand, as the program runs only on Windows: nobody has held it against the program.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findResults } from '../../../src/domain/results/find-results.ts';
import { presetFigure, presetNames, presets } from '../../../src/domain/results/presets.ts';
import { readResultRules, resultRulesError } from '../../../src/domain/results/result-rules.ts';

const rsync = { files: 10, created: 10, deleted: 0, 'transferred-files': 8 };
const outputs: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  rsync: { ...rsync, size: 8_400_006, transferred: 8_400_006, sent: 8_402_618 },
  'rsync-human': { ...rsync, size: 8_400_000, transferred: 8_400_000, sent: 8_400_000 },
  restic: { files: 8, new: 8, changed: 0, bytes: 8.011 * 1024 ** 2, added: 8.014 * 1024 ** 2 },
  'restic-json': { files: 9, new: 1, changed: 1, bytes: 8_600_011, added: 504_143 },
  borg: { files: 9, size: 8_600_000, compressed: 8_600_000, added: 8_600_000, duration: 0.03 },
  'borg-json': { files: 9, size: 8_600_501, compressed: 8_600_514, added: 461, duration: 0.003978 },
  pg_dump: { tables: 3, created: 3 },
  duplicity: {
    ...{ files: 11, size: 8_608_203, new: 11, changed: 0, deleted: 0 },
    ...{ added: 8_620_961, errors: 0, duration: 0.22 },
  },
  robocopy: { files: 12, copied: 8, skipped: 3, failed: 1, size: 1.5 * 1024 ** 2, transferred: 512 * 1024 },
  tar: { bytes: 8_417_280 },
  rclone: { files: 9, transferred: 8.202 * 1024 ** 2, duration: 0.1 },
  'rclone-json': { files: 9, transferred: 8_600_011, duration: 0.351900562 },
};

describe.each(Object.entries(outputs))('of %s', (name, figures) => {
  const program = name.replace(/-.*/, '');
  const output = readFileSync(new URL(`outputs/${name}.txt`, import.meta.url));

  test('every figure is in the output', () => {
    const found = Object.entries(figures).map(([figure]) => {
      const rules = readResultRules(`it from ${program} ${figure}`);
      return [figure, findResults(rules, [], output)[0]?.value];
    });
    expect(Object.fromEntries(found)).toEqual(figures);
    expect(Object.keys(figures)).toEqual(
      presets.find((preset) => preset.program === program)?.figures.map((figure) => figure.name),
    );
  });
});

test('a unit of the rule is converted to', () => {
  const rules = readResultRules('sent in MB from rsync sent');
  const output = readFileSync(new URL('outputs/rsync.txt', import.meta.url));
  expect(findResults(rules, [], output)).toEqual([{ name: 'sent', value: 8.402618 }]);
});

test('every name is a source of a rule, and comes with help', () => {
  for (const name of presetNames()) expect(resultRulesError(`it from ${name}`)).toBe('');
  expect(presets.flatMap(({ figures }) => figures).filter(({ help }) => !help.endsWith('.'))).toEqual([]);
  expect(presetFigure('rsync', 'nonsense')).toBeNull();
});
