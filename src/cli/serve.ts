/**
 * `knell serve`: starts the app, says when it is ready, ends it when asked to.
 */
import { type App, createApp } from '../app.ts';
import { type Config, limits } from '../config.ts';
import { systemClock } from '../engine/clock.ts';
import type { ShownProject } from '../http/admin-routes.ts';
import { messageOf } from '../lib/errors.ts';
import { tuneHeapGrowth } from '../lib/heap-growth.ts';
import { createLogger, type Logger } from '../lib/logger.ts';
import { second } from '../lib/units.ts';
import { exitDone, print } from './terminal.ts';

/** Resolves with the exit status once the server has been asked to end and has ended. */
export async function serve(config: Config, warnings: readonly string[]): Promise<number> {
  const logger = createLogger({ level: config.logLevel, pretty: process.stderr.isTTY });
  for (const warning of warnings) logger.warn(warning);
  if (config.durability === 'relaxed') {
    logger.warn(
      'KNELL_DURABILITY=relaxed: pings are answered before they are on disk; a crash loses the last ones',
    );
  }
  const asked = stopRequest();
  const app = await createApp({
    config,
    clock: systemClock,
    logger,
    onBroken(error) {
      process.stderr.write(`knell: ending at once: ${messageOf(error)}\n`);
      process.exit(1);
    },
    progress: loadProgress(logger),
  });
  tuneHeapGrowth();
  if (app.bootstrapped) printFirstKeys(app.bootstrapped, app);
  print(`knell: ready http=${app.httpUrl} smtp=${app.smtp}`);
  logger.info({ signal: await asked }, 'ending');
  await stopWithin(app);
  return exitDone;
}

/** Resolves with the name of the first signal that asks Knell to end. */
function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => resolve(signal));
  });
}

/** The process ends within five seconds, whatever hangs: what was acknowledged is on disk already. */
async function stopWithin(app: App): Promise<void> {
  const timer = setTimeout(() => process.exit(exitDone), limits.shutdownMs + second / 2);
  timer.unref();
  await app.stop();
  clearTimeout(timer);
}

/** Once a second, from the second second on: on a terminal in place, elsewhere into the log. */
function loadProgress(logger: Logger): (checks: number) => void {
  let reportedMs = Date.now();
  return (checks) => {
    if (Date.now() - reportedMs < second) return;
    reportedMs = Date.now();
    if (process.stderr.isTTY) process.stderr.write(`\rreading checks: ${checks}\x1b[K`);
    else logger.info({ checks }, 'reading checks');
  };
}

function printFirstKeys({ project, keys }: ShownProject, { httpUrl, setUpUrl }: App): void {
  print(`knell: made the project "${project.name}". Its keys are shown this once; keep them:`);
  print(`  read-write  ${keys.read_write}`);
  print(`  read-only   ${keys.read_only}`);
  print(`  ping key    ${keys.ping}`);
  print('Try it: this makes a check by its first ping.');
  print(`  curl -fsS '${httpUrl}/ping/${keys.ping}/my-first-job?create=1'`);
  if (setUpUrl === null) return;
  // Once, like the keys; "knell password reset" prints it again.
  print('The web page asks for a password first. Set it here, once:');
  print(`  ${setUpUrl}`);
}
