/**
 * `knell serve` starts the app, prints when it is ready, and stops it on a signal.
 */

import { createApp } from '../../assemble/app.ts';
import type { FirstSteps } from '../../assemble/first-steps.ts';
import type { App } from '../../assemble/running.ts';
import { limits, type ReadConfig } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import { createLogger, type Logger } from '../../lib/logger.ts';
import { second } from '../../lib/units.ts';
import { boundCompileJobs, collectGarbage, tuneHeapGrowth } from '../../lib/v8-tuning.ts';
import { exitDone, print } from '../io/terminal.ts';

/** Resolves with the exit status once the server has been asked to end and has ended. */
export async function serve({ config, given, warnings }: ReadConfig): Promise<number> {
  const logger = createLogger({ level: config.logLevel, pretty: process.stderr.isTTY });
  for (const warning of warnings) logger.warn(warning);
  if (config.durability === 'relaxed') {
    logger.warn(
      'KNELL_DURABILITY=relaxed: pings are answered before they are on disk; a crash loses the latest ones',
    );
  }
  const asked = stopRequest();
  let isUp = false;
  // A node may wait for its cluster for hours, and has nothing to finish until then.
  if (config.cluster.length > 0) void asked.then(() => isUp || process.exit(exitDone));
  const app = await createApp({
    ...{ config, given },
    clock: systemClock,
    logger,
    onBroken(error) {
      process.stderr.write(`knell: exiting: ${messageOf(error)}\n`);
      process.exit(1);
    },
    progress: loadProgress(logger),
    loaded: collectGarbage,
    leavesCluster: true,
  });
  isUp = true;
  tuneHeapGrowth();
  boundCompileJobs();
  printFirstSteps(app, app.baseUrl);
  void app.leading?.then((steps) => printFirstSteps(steps, app.baseUrl));
  if (app.compatUrl !== null)
    logger.info({ url: app.compatUrl }, 'listening for HTTP/1.0 and old devices too');
  if (app.metricsUrl !== null) logger.info({ url: app.metricsUrl }, 'serving metrics');
  // Not on stdout: programs read that. Whole: the setting may be a path from where Knell was started.
  logger.info({ dataDir: config.dataDir }, 'data directory');
  print(readyLine(app));
  logger.info({ signal: await asked }, 'shutting down');
  await stopWithin(app);
  return exitDone;
}

function readyLine({ httpUrl, smtp, compatUrl }: App): string {
  return `knell: ready http=${httpUrl} smtp=${smtp}${compatUrl === null ? '' : ` http_compat=${compatUrl}`}`;
}

/** Resolves with the name of the first signal that asks Knell to end. */
function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => resolve(signal));
  });
}

/** Ends the process within five seconds, whatever hangs or is left over: everything that was acknowledged is on disk already. */
async function stopWithin(app: App): Promise<void> {
  setTimeout(() => process.exit(exitDone), limits.shutdownMs + second / 2).unref();
  await app.stop();
}

/** Reports progress once a second, after the first second: in place on a terminal, otherwise in the log. */
function loadProgress(logger: Logger): (checks: number) => void {
  let reportedMs = systemClock.nowMs();
  return (checks) => {
    if (systemClock.nowMs() - reportedMs < second) return;
    reportedMs = systemClock.nowMs();
    if (process.stderr.isTTY) process.stderr.write(`\rloading checks: ${checks}\x1b[K`);
    else logger.info({ checks }, 'loading checks');
  };
}

function printFirstSteps({ bootstrapped, setUpUrl, lacksOwner }: FirstSteps, baseUrl: string): void {
  if (bootstrapped) printFirstProject(bootstrapped, baseUrl);
  // After an import, the link is printed at every start until somebody can open the server's settings. "knell password reset"
  // prints it again.
  if (setUpUrl === null || !(bootstrapped || lacksOwner)) return;
  print(
    lacksOwner
      ? 'Web interface: there is no owner yet. Create the first one here (one-time link):'
      : 'Web interface: set your password here (one-time link):',
  );
  print(`  ${setUpUrl}`);
}

function printFirstProject(bootstrapped: NonNullable<FirstSteps['bootstrapped']>, baseUrl: string): void {
  const { project, keys } = bootstrapped;
  print(`knell: created project "${project.name}". Save these keys, they won't be shown again:`);
  print(`  read-write  ${keys.read_write}`);
  print(`  read-only   ${keys.read_only}`);
  print(`  ping key    ${keys.ping}`);
  print('Try it (creates a check on first ping):');
  print(`  curl -fsS '${baseUrl}/ping/${keys.ping}/my-first-job?create=1'`);
}
