import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What kills or starts processes again and again, drives a browser, tries very many cases or runs longer. `npm run check` leaves it
 * to `npm test`.
 */
const slow = [
  'engine/recorded/histories',
  'path/preview',
  'path/run-list',
  'http/api/runs',
  'http/api/search/search-bounds',
  ...[
    'apply/read-desired',
    'bench/profile',
    'bench/smoke-others',
    'check-commits',
    'cli/apply-*',
    'cli/configuration/apply*',
    'cli/owner/audit',
    'cli/checks',
    'cli/commands',
    'cli/completion',
    'cli/owner/after-import',
    'cli/discover/discover',
    'cli/doctor/doctor',
    'cli/doctor/doctor-mail',
    'cli/healthchecks',
    'cli/log-and-watch',
    'cli/mcp',
    'cli/move-check',
    'cli/package',
    'cli/checks/ping-commands',
    'cli/checks/snooze',
    'cli/snapshots',
    'cli/start',
    'cli/watch-terminal',
    'client/http-exchange',
    'client/job',
    'client/run',
    'client/run-settings',
    'cli/events',
    'cli/checks/search',
    'cli/checks/incidents',
    'cli/checks/results',
    'cli/checks/alerting',
    'importer/monitors/monitor-imports',
    'deploy/kubernetes',
    'docs/*',
    'domain/runs/time-ranges',
    'engine/changes/accept-project',
    'engine/changes/accept-user',
    'engine/deadlines/end-snooze',
    'engine/deadlines/incident-steps',
    'engine/registry/check-table',
    'engine/registry/fast-ping',
    'engine/registry/hashed-handles',
    'engine/start/snapshot-schedule',
    'engine/registry/run-memory',
    'engine/reads/what-if',
    'http/api/entity-tag',
    'http/api/search/search',
    'http/api/incidents/incidents',
    'http/admin/admin-api',
    'http/monitoring/metrics-routes',
    'http/monitoring/project-metrics',
    'http/status-page/status-page',
    'http/tls',
    'http/web/live/unfolded-statistics',
    'http/web/account/account',
    'http/web/account/close-account',
    'http/web/account/hand-over',
    'http/web/account/new-address',
    'http/web/account/oidc',
    'http/web/garbage',
    'http/web/settings/integrations',
    'commands/secrets/passwords',
    'http/web/web',
    'http/wire/body-reader',
    'http/wire/list-in-turns',
    'smtp/filtering',
    'smtp/mail-reader',
    'smtp/process',
    'smtp/read-mail',
    'smtp/tls-and-proxy',
    'smtp/wire',
  ],
  ...[
    'conformance/log',
    'conformance/replicated-log',
    'conformance/store',
    'schedule/occurrence',
    'store/data-dirs',
    'store/history/fold/compaction',
    'store/history/fold/retention-pass',
    'store/history/fold/fold',
    'store/history/statistics/read-statistics',
    'store/history/rows/runs',
    'store/journal/file-log',
    'store/kill',
    'store/open/open-store',
    'store/replicated/stream-log',
    'store/retention-model',
    'temp-folders',
  ],
  ...['simulation/alerting', 'simulation/cluster', 'simulation/simulation', 'store/snapshot/snapshot'],
  ...[
    'account-takeover',
    'alert-links',
    'audit',
    'audit-secrets',
    'alerting',
    'audit-values',
    'cluster',
    'cluster-client',
    'cluster-cut-off',
    'cluster-listeners',
    'cluster-empty-node',
    'cluster-accounts',
    'cluster-end',
    'cluster-joining',
    'cluster-late',
    'cluster-lost-answers',
    'cluster-refused-changes',
    'cluster-reports',
    'cluster-silent',
    'cluster-status',
    'collecting',
    'api',
    'results-bounds',
    'events-after-kill',
    'crash',
    'damage',
    'heap',
    'notify',
    'notify-crash',
    'project',
    'refreshes',
    'reports',
    'sign-out',
    'snapshots',
    'signed-webhooks',
    'syncs',
    'timeline',
    'updated-messages',
  ].map((name) => `path/${name}`),
  'web/*',
].map((stem) => `test/${stem}.test.ts`);

/**
 * What proves little more by taking long, so that `npm test` takes six minutes: faults of whole clusters, journeys of a browser
 * beyond one on each page, real programs that are started again and again, every bench. `npm run test:long`, which CI runs, too.
 * Random lives, damaged bytes and the logs that are not the usual one are in both: some in `npm test`, all here.
 */
const long = [
  ...['engine/recorded/all-histories', 'engine/registry/hashed-handles', 'engine/start/snapshot-schedule'],
  ...['engine/registry/run-memory'],
  ...['bench/profile', 'bench/smoke-others'],
  ...[
    'cli/apply-crash',
    'cli/apply-maintenance',
    'cli/apply-status-pages',
    'cli/healthchecks',
    'cli/mcp',
    'cli/package',
    'cli/start',
    'cli/watch-terminal',
    'client/http-exchange',
    'commands/secrets/passwords',
    'deploy/kubernetes',
    'http/web/live/unfolded-statistics',
    'http/wire/list-in-turns',
    'smtp/process',
  ],
  ...[
    'cluster',
    'cluster-accounts',
    'cluster-client',
    'cluster-cut-off',
    'cluster-empty-node',
    'cluster-end',
    'cluster-joining',
    'cluster-late',
    'cluster-listeners',
    'cluster-lost-answers',
    'cluster-lost-log',
    'cluster-refused-changes',
    'cluster-reports',
    'cluster-silent',
    'cluster-status',
    'damage',
    'heap',
    'mqtt',
    'notify-crash',
    'preview',
    'project',
    'refreshes',
    'snapshots',
    'updated-messages',
    'web-push',
    'web-push-built',
  ].map((name) => `path/${name}`),
  ...['store/data-dirs', 'store/open/open-store', 'store/retention-model'],
  ...[
    'account-changes',
    'account-mails',
    'actions-bar',
    'again',
    'asked-once',
    'base-path',
    'bulk',
    'chart',
    'cluster-nodes',
    'compare',
    'crontab',
    'every-page',
    'firefox',
    'firefox-sign-in',
    'hints',
    'keyboard',
    'late-run',
    'line-address',
    'maintenance',
    'matrix',
    'palette',
    'restart',
    'result-column',
    'results',
    'retention',
    'runs',
    'screenshots',
    'search',
    'snippets',
    'snooze-link',
    'speed',
    'status-pages',
    'terminal-lines',
    'wall',
    'web-push',
  ].map((name) => `web/${name}`),
].map((stem) => `test/${stem}.test.ts`);
/** In `npm run check`, which leaves the rest of the benches out, and in `npm run test:long`. */
const smoke = 'test/bench/smoke.test.ts';

/** In both: some of what they try, at random or one by one, in `npm test`, all of it here. */
const tried = [
  ...['cli/apply-terminal', 'cli/checks/ping-commands', 'cli/commands', 'cli/owner/after-import'],
  ...['client/job', 'client/run'],
  ...['conformance/store'],
  ...['docs/guide-backups', 'docs/guide-languages'],
  ...['domain/results/find-results', 'domain/runs/time-ranges'],
  ...[
    'engine/changes/accept-user',
    'engine/deadlines/end-snooze',
    'engine/deadlines/incident-steps',
    'engine/registry/check-table',
  ],
  ...[
    'http/api/entity-tag',
    'http/api/runs',
    'http/monitoring/metrics-routes',
    'http/pings/new-check',
    'http/status-page/status-page',
  ],
  ...['importer/monitors/foreign-files', 'importer/monitors/monitor-imports'],
  ...[
    'path/api',
    'path/connections',
    'path/crash',
    'path/events-after-kill',
    'path/matrix-chat',
    'path/notify',
    'path/other-services',
    'path/run-list',
    'path/sign-out',
    'path/telegram-chat',
  ],
  ...['schedule/occurrence'],
  ...['simulation/alerting', 'simulation/cluster', 'simulation/simulation'],
  ...['smtp/mail-reader'],
  ...[
    'store/codec/check-facts',
    'store/codec/named-record',
    'store/history/fold/compaction',
    'store/history/fold/retention-pass',
    'store/history/statistics/read-statistics',
    'store/journal/file-log',
    'store/kill',
    'store/snapshot/snapshot',
  ],
  ...['web/check-page', 'web/checks', 'web/connect', 'web/filled', 'web/integrations', 'web/story'],
].map((stem) => `test/${stem}.test.ts`);

/**
 * Take long for what little they say. On a machine that has never run the tests, vitest begins with the largest files: these
 * would come last, and one worker would be at them while the others have nothing left.
 */
const first = [
  ...['web/every-page', 'bench/smoke', 'bench/smoke-others', 'path/cluster-listeners', 'web/firefox'],
  ...['path/crash', 'path/cluster-late', 'simulation/cluster', 'simulation/simulation'],
  ...['engine/recorded/histories', 'engine/recorded/all-histories', 'smtp/process', 'path/sign-out'],
  ...['store/kill', 'web/hints', 'web/actions-bar', 'web/base-path', 'client/job'],
].map((stem) => `/test/${stem}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification): boolean =>
      first.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

/** One more than cores: the smoke benches and whatever starts a process wait for half of their time. */
const maxWorkers = availableParallelism() + 1;

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
  setupFiles: 'test/support/file-folder.ts',
} as const;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['test/support/run-folder.ts'],
    // What has not changed is not transformed again: half of the time of a run of one file.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...slow, ...long],
          maxWorkers,
        },
      },
      {
        extends: true,
        // Those above too: the workers of a project load all modules anew, and two projects would do so twice.
        test: {
          ...common,
          name: 'every',
          include: ['test/**/*.test.ts'],
          exclude: [...long, smoke],
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          ...common,
          name: 'long',
          include: [...long, ...tried, smoke],
          env: { TEST_LONG: 'yes' },
          maxWorkers,
        },
      },
    ],
  },
});
