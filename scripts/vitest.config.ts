import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What kills processes again and again, or drives a browser. `npm run check` leaves it to `npm test`. */
const slow = [
  'test/path/crash.test.ts',
  'test/path/damage.test.ts',
  'test/path/notify-crash.test.ts',
  'test/path/project.test.ts',
  'test/path/snapshots.test.ts',
  'test/path/syncs.test.ts',
  ...['badges', 'checks', 'integrations', 'mail-body', 'restart', 'screenshots', 'settings', 'story'].map(
    (name) => `test/web/${name}.test.ts`,
  ),
];
/** What is measured in time has the machine for itself, when all else is done. Likewise. */
const alone = ['test/web/speed.test.ts'];

/** Of a test that hangs. Nothing is judged by it: on a busy machine everything takes ten times as long. */
const hungMs = 120_000;
const common = {
  pool: 'forks',
  testTimeout: hungMs,
  hookTimeout: hungMs,
  expect: { poll: { timeout: 60_000 } },
} as const;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...slow, ...alone],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { ...common, name: 'slow', include: slow, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: { ...common, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
