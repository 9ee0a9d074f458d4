/**
 * `knell cluster` prints the configuration of the NATS servers, shows the nodes, and creates a new log. `cluster/` has the work of
 * a node.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { clusterVariable, natsConfigs } from '../../cluster/bus/nats-config.ts';
import type { HeldData } from '../../cluster/status/held.ts';
import type { Config } from '../../config.ts';
import { clockWords } from '../../domain/words/clock-words.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import type { CommandTools } from '../io/owner-command.ts';
import { show } from '../io/show.ts';
import { exitDone, exitFailed, print, printTable, warn } from '../io/terminal.ts';
import { init, rebuild, saidByNodes } from './cluster-log.ts';

const tokenBytes = 24;
/** Only the user who runs the command may read the files: they contain secrets. */
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
  onData(group.command('status').description('show which node leads, and how far each one is behind'))
    .addHelpText(
      'after',
      '\nAsks the Knell that runs on this data directory. Where that has not joined its cluster, or does not run, shows what all nodes ' +
        'say over NATS, and what those that do not run said last. Exit status 1 if no node leads, it does not answer, or a node does not follow it.',
    )
    .action(async (flags: Flags) => finish(await status(configOf(flags), flags)));
  onData(group.command('init').description('create the log of a new cluster, in which no node has data'))
    .addHelpText(
      'after',
      '\nNodes that are empty wait until three of them say so; this is for a cluster that begins with fewer.' +
        '\nRefused where there is a log, or a node is known that holds data. KNELL_CLUSTER must be set.',
    )
    .action(async (flags: Flags) => finish(await init(configOf(flags), flags)));
  onData(
    group
      .command('rebuild')
      .description("begin the cluster's log anew with the data of this node, while Knell is stopped"),
  )
    .option('--yes', 'do not ask')
    .option('--force', 'also where another node holds more')
    .addHelpText(
      'after',
      '\nFor a stream that was lost or is damaged: run it on the node that holds the most, as "knell cluster status" shows it.' +
        '\nCompares what all nodes say they hold, also those that do not run, as far as the node of this data directory remembers.' +
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
  readonly held: HeldData | null;
  readonly saidAtMs: number;
  readonly catchUpMs: number | null;
}

interface ShownCluster {
  readonly cluster: string;
  /** Whether the node that was asked follows the log; if not, its row has the reason. */
  readonly follows: boolean;
  readonly leader: string | null;
  readonly epoch: number;
  /** Epoch milliseconds since which the log has been silent; null while it answers. */
  readonly silentSinceMs: number | null;
  /** Servers that cannot be reached. They are asked only while the log is silent. */
  readonly unreachable: readonly string[];
  readonly nodes: readonly ShownNode[];
}

async function status(settings: Config, flags: Flags): Promise<number> {
  const { runningServer } = await import('../io/admin-client.ts');
  const shown = (await runningServer(settings, {
    command: 'cluster status',
    args: {},
  })) as ShownCluster | null;
  if (shown === null) {
    show(flags, { cluster: settings.clusterName, ...(await saidByNodes(settings)) }, ({ nodes }) => {
      print('this node has not joined the cluster: what the nodes say of themselves, and said last');
      printTable(
        nodes.map((node) => ({
          node: node.name,
          role: shownRole(node.role, node.isAlive, false),
          ...shownHeld(node),
          error: node.lastError,
        })),
      );
    });
    return exitFailed;
  }
  const isSilent = shown.silentSinceMs !== null;
  show(flags, shown, ({ nodes }) => {
    print(headline(shown));
    printTable(
      nodes.map(
        ({ name, role, isAlive, version, appliedSeq, lag, startedAtMs, aheadMs, lastError, ...node }) => ({
          node: name,
          role: shownRole(role, isAlive, isSilent),
          version,
          applied: appliedSeq,
          lag,
          ...(nodes.some(({ catchUpMs }) => catchUpMs !== null)
            ? { 'in step in': shownWait(node.catchUpMs) }
            : {}),
          ...shownHeld({ isAlive, ...node }),
          since: isoSeconds(startedAtMs),
          clock: isAlive ? clockWords(aheadMs) : '',
          error: lastError,
        }),
      ),
    );
  });
  const isWell = shown.leader !== null && shown.nodes.every(({ role }) => role !== 'stopped');
  return isWell ? exitDone : exitFailed;
}

/** The state of the cluster in one line. */
function headline({ follows, leader, epoch, silentSinceMs, unreachable }: ShownCluster): string {
  if (silentSinceMs === null && !follows)
    return 'this node does not follow the log, and does not know who leads: its error is below; ask another node too';
  if (silentSinceMs === null) return leader === null ? 'no node leads' : `${leader} leads, epoch ${epoch}`;
  const silent = `the log does not answer since ${isoSeconds(silentSinceMs)}: nothing is recorded, nobody is alerted`;
  return unreachable.length === 0
    ? `${silent}; all NATS servers can be reached from here: look at their logs`
    : `${silent}; NATS servers out of reach from here: ${unreachable.join(', ')}`;
}

/** Time until a node has caught up. */
function shownWait(ms: number | null): string {
  if (ms === null) return '';
  return ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`;
}

/** The data on the disk of a node as it reported it, with the age of the report if the node does not run. */
function shownHeld({ held, isAlive, saidAtMs }: Pick<ShownNode, 'held' | 'isAlive' | 'saidAtMs'>) {
  return {
    holds: held === null ? 'not known' : held.lastSeq === 0 ? 'nothing' : held.lastSeq,
    checks: held?.checks ?? '',
    written: held === null || held.writtenAtMs === null ? '' : isoSeconds(held.writtenAtMs),
    said: isAlive ? '' : isoSeconds(saidAtMs),
  };
}

function shownRole(role: string, isAlive: boolean, isSilent: boolean): string {
  // Without its NATS server, a node knows nothing of the others.
  if (!isAlive) return isSilent ? 'unknown' : 'gone';
  return isSilent && role === 'leader' ? 'last leader' : role;
}

function isoSeconds(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19);
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
