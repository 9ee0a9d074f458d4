/**
 * `knell cluster`: the configuration of its NATS servers, what its nodes say of themselves, a new log. Not here: what a node does
 * in a cluster (`cluster/`).
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { clusterVariable, natsConfigs } from '../cluster/nats-config.ts';
import { type Config, nodeNameOf } from '../config.ts';
import { clockWords } from '../domain/clock-words.ts';
import { systemClock } from '../lib/clock.ts';
import { KnellError } from '../lib/errors.ts';
import type { CommandTools } from './notify-commands.ts';
import { type Flags, show } from './show.ts';
import { exitDone, exitFailed, print, printTable, warn } from './terminal.ts';
import { typedAnswer } from './typed-answer.ts';

const tokenBytes = 24;
/** What is in the files is a secret. */
const fileMode = 0o600;

export function addCluster(program: Command, { finish, onData, configOf }: CommandTools): void {
  const group = program.command('cluster').description('several machines as one Knell, over NATS JetStream');
  group
    .command('config <host...>')
    .description('write the configuration of the NATS servers, one on each of three machines')
    .addOption(new Option('--out <directory>', 'write the files there; by default they are printed'))
    .addOption(new Option('--token <token>', 'what lets clients and servers in; by default a new one'))
    .addOption(new Option('--tls', 'clients and servers speak TLS: the files name the certificates'))
    .addHelpText(
      'after',
      '\nHOST is what the other machines call a machine: a name or an address. Three of them, or five.' +
        '\n\nExample: knell cluster config 10.0.0.1 10.0.0.2 10.0.0.3 --out nats',
    )
    .action((hosts: readonly string[], flags: Flags) => finish(config(hosts, flags)));
  onData(group.command('status').description('show which node owns the log, and how far each one is behind'))
    .addHelpText(
      'after',
      '\nAsks the Knell that runs on this data directory. Exit status 1 if no node owns the log, it does not answer, or a node does not follow it.',
    )
    .action(async (flags: Flags) => finish(await status(configOf(flags), flags)));
  onData(
    group
      .command('rebuild')
      .description("begin the cluster's log anew with the data of this node, while Knell is stopped"),
  )
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nFor a stream that was lost or is damaged: run it on the node that has the most, as "knell cluster status" shows it.' +
        '\nAlso brings the data of a single Knell into a new cluster. KNELL_CLUSTER must be set.',
    )
    .action(async (flags: Flags) => finish(await rebuild(configOf(flags), flags)));
}

interface ShownNode {
  readonly name: string;
  readonly role: string;
  readonly isAlive: boolean;
  readonly version: string;
  readonly appliedSeq: number;
  readonly lag: number;
  readonly startedAtMs: number;
  readonly aheadMs: number;
  readonly lastError: string;
}

interface ShownCluster {
  readonly cluster: string;
  /** Whether the node that was asked follows the log: if not, why is said in its row. */
  readonly follows: boolean;
  readonly owner: string | null;
  readonly epoch: number;
  /** Null while the log answers. */
  readonly silentSinceMs: number | null;
  /** Asked only while the log is silent. */
  readonly unreachable: readonly string[];
  readonly nodes: readonly ShownNode[];
}

async function status(settings: Config, flags: Flags): Promise<number> {
  const { runningServer } = await import('./admin-client.ts');
  const shown = (await runningServer(settings, {
    command: 'cluster status',
    args: {},
  })) as ShownCluster | null;
  if (shown === null) {
    const waits = 'or it has not joined its cluster yet, and its log says what it waits for';
    throw new KnellError('not-found', `no Knell answers on ${settings.dataDir}: it does not run, ${waits}`);
  }
  const isSilent = shown.silentSinceMs !== null;
  show(flags, shown, ({ nodes }) => {
    print(headline(shown));
    printTable(
      nodes.map(({ name, role, isAlive, version, appliedSeq, lag, startedAtMs, aheadMs, lastError }) => ({
        node: name,
        role: shownRole(role, isAlive, isSilent),
        version,
        applied: appliedSeq,
        lag,
        since: isoSeconds(startedAtMs),
        clock: isAlive ? clockWords(aheadMs) : '',
        error: lastError,
      })),
    );
  });
  const isWell = shown.owner !== null && shown.nodes.every(({ role }) => role !== 'stopped');
  return isWell ? exitDone : exitFailed;
}

/** What is so, in a line. */
function headline({ follows, owner, epoch, silentSinceMs, unreachable }: ShownCluster): string {
  if (silentSinceMs === null && !follows)
    return 'this node does not follow the log, and does not know who owns it: its error is below; ask another node too';
  if (silentSinceMs === null)
    return owner === null ? 'no node owns the log' : `${owner} owns the log, epoch ${epoch}`;
  const silent = `the log does not answer since ${isoSeconds(silentSinceMs)}: nothing is recorded, nobody is alerted`;
  return unreachable.length === 0
    ? `${silent}; all NATS servers can be reached from here: look at their logs`
    : `${silent}; NATS servers out of reach from here: ${unreachable.join(', ')}`;
}

function shownRole(role: string, isAlive: boolean, isSilent: boolean): string {
  // Without its NATS server, a node knows nothing of the others.
  if (!isAlive) return isSilent ? 'unknown' : 'gone';
  return isSilent && role === 'owner' ? 'last owner' : role;
}

function isoSeconds(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19);
}

async function rebuild(settings: Config, flags: Flags): Promise<number> {
  if (settings.cluster.length === 0)
    throw new KnellError('usage', 'KNELL_CLUSTER is not set: which NATS servers is it?');
  const [{ rebuildLog }, { openStore }, { createLogger }, { createMeter }] = await Promise.all([
    import('../cluster/rebuild.ts'),
    import('../store/open-store.ts'),
    import('../lib/logger.ts'),
    import('../lib/meter.ts'),
  ]);
  const logger = createLogger({ level: 'warn', pretty: process.stderr.isTTY });
  const rebuilt = await rebuildLog({
    ...settings,
    name: nodeNameOf(settings),
    logger,
    signal: new AbortController().signal,
    agree: (sentences) => agree(sentences, flags),
    async withStore(join) {
      const store = await openStore({
        ...settings,
        join,
        logger,
        meter: createMeter(),
        nowMs: () => systemClock.nowMs(),
        onBroken(error) {
          throw error;
        },
      });
      await store.close();
    },
  });
  return show(flags, rebuilt, () => {
    print(`the log begins anew at batch ${rebuilt?.firstSeq}`);
    print('start this node first (knell serve), then the others with an empty KNELL_DATA_DIR');
  });
}

async function agree(sentences: readonly string[], flags: Flags): Promise<boolean> {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  if (flags.yes === true) return true;
  if (!process.stdin.isTTY)
    throw new KnellError('usage', 'nothing was changed; add --yes to continue without it');
  return (await typedAnswer('Begin anew? Type yes: ')) === 'yes';
}

function config(hosts: readonly string[], flags: Flags): number {
  const token = typeof flags.token === 'string' ? flags.token : randomBytes(tokenBytes).toString('base64url');
  checkHosts(hosts);
  if (!/^[\w.-]{8,200}$/.test(token))
    throw new KnellError('usage', '--token: use 8 to 200 letters, digits, hyphens, dots or underscores');
  const options = { hosts, token, tls: flags.tls === true };
  const files = natsConfigs(options);
  const variable = `KNELL_CLUSTER=${clusterVariable(options)}`;
  if (typeof flags.out !== 'string') {
    for (const { name, text } of files) print(`# ---- ${name}\n${text}`);
    print(`# ---- the environment of every Knell\n# ${variable}`);
    return exitDone;
  }
  const { out } = flags;
  mkdirSync(out, { recursive: true });
  const paths = files.map(({ name }) => join(out, name));
  const present = paths.find((path) => existsSync(path));
  if (present !== undefined)
    throw new KnellError('conflict', `${present} exists: delete it, or name another directory`);
  for (const [at, { text }] of files.entries()) {
    const path = paths[at] ?? '';
    writeFileSync(path, text, { mode: fileMode });
    print(path);
  }
  print(variable);
  return exitDone;
}

function checkHosts(hosts: readonly string[]): void {
  const wrong = hosts.find((host) => !/^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|[0-9a-f:]+)$/i.test(host));
  if (wrong !== undefined) throw new KnellError('usage', `"${wrong}" is not a host name or an address`);
  if (new Set(hosts).size < hosts.length) throw new KnellError('usage', 'every host must be another machine');
  if (hosts.length < 3)
    throw new KnellError('usage', 'a cluster needs three machines: fewer are less safe than one');
  if (hosts.length % 2 === 0)
    warn('an even number of servers survives no more failures than one fewer: use three or five');
}
