import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What kills or starts processes again and again, drives a browser or runs for long. `npm run check` leaves it to `npm test`. */
const slow = [
  ...[
    'bench/profile',
    'bench/smoke-others',
    'cli/apply-crash',
    'cli/commands',
    'cli/package',
    'cli/snapshots',
    'engine/snapshot-schedule',
    'http/web/passwords',
    'http/web/web',
    'smtp/process',
  ],
  ...[
    'conformance/store',
    'schedule/occurrence',
    'store/data-dirs',
    'store/history/fold',
    'store/kill',
    'store/open-store',
    'store/retention-model',
  ],
  ...['simulation/cluster', 'simulation/simulation', 'store/snapshot/snapshot'],
  ...[
    'cluster',
    'cluster-client',
    'cluster-doors',
    'cluster-end',
    'cluster-joining',
    'cluster-silent',
    'crash',
    'damage',
    'heap',
    'notify',
    'notify-crash',
    'project',
    'sign-out',
    'snapshots',
    'syncs',
  ].map((name) => `path/${name}`),
  ...[
    'alert-mail',
    'badges',
    'bulk',
    'base-path',
    'check-page',
    'checks',
    'cluster-nodes',
    'every-page',
    'firefox',
    'firefox-sign-in',
    'integrations',
    'keyboard',
    'mail-body',
    'manual',
    'passkeys',
    'restart',
    'screenshots',
    'server',
    'settings',
    'time-zone',
    'snippets',
    'snooze-link',
    'speed',
    'story',
    'wall',
  ].map((name) => `web/${name}`),
].map((stem) => `test/${stem}.test.ts`);

/** Of a test that hangs. Nothing is judged by it: on a busy machine everything takes ten times as long. */
const hungMs = 240_000;
const common = {
  pool: 'forks',
  // Files share the modules of their worker: loading them anew for each took half of all processor time. So no test may
  // change a module's state.
  isolate: false,
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
          exclude: slow,
          // One more than cores: the smoke benches wait for half of their time.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: { ...common, name: 'slow', include: slow, maxWorkers: 3 },
      },
    ],
  },
});
