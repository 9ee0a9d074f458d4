/**
 * `knell cluster`: the configuration of its NATS servers. Not here: what a node does in a cluster (`cluster/`).
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { clusterVariable, natsConfigs } from '../cluster/nats-config.ts';
import { KnellError } from '../lib/errors.ts';
import type { CommandTools } from './notify-commands.ts';
import type { Flags } from './show.ts';
import { exitDone, print, warn } from './terminal.ts';

const tokenBytes = 24;
/** What is in the files is a secret. */
const fileMode = 0o600;

export function addCluster(program: Command, { finish }: Pick<CommandTools, 'finish'>): void {
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
