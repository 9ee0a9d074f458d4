/**
 * `knell doctor` examines everything around Knell that can be wrong, and advises what to do. The examinations are in
 * `doctor-machine`, `doctor-network`, `doctor-mail`, `doctor-server` and `doctor-checks`.
 * Invariant: it changes nothing, sends nothing unless it is asked to, and a failed examination does not prevent another one.
 */

import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { baseUrlOf } from '../../config.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import { addOutput, printColumns, printedForPrograms } from '../io/output.ts';
import type { CommandTools } from '../io/owner-command.ts';
import type { Colour } from '../io/table.ts';
import { exitDone, exitFailed } from '../io/terminal.ts';
import { type Finding, failed } from './doctor-finding.ts';

export function addDoctor(program: Command, { onData, configOf, finish }: CommandTools): void {
  addOutput(
    onData(
      program
        .command('doctor')
        .description('check mail, base URL, ports, disk, clock, certificates, and settings of checks'),
    ),
  )
    .option('--send-test <address>', 'send a test message to this email address')
    .addHelpText(
      'after',
      `
It goes by the settings of this shell: run it with the variables of the server, and as its user, e.g.
  systemd-run -P -p User=knell -p EnvironmentFile=/etc/knell/knell.env knell doctor
with the Debian package; without it, the file is the one that the unit names, such as /etc/knell.env.

Exit status: 0 if nothing failed (there may be warnings), 1 if something did.`,
    )
    .action(async (flags: Flags) => finish(await examine(configOf(flags), flags)));
}

const colours: Readonly<Record<Finding['state'], Colour>> = { ok: 'green', warning: 'yellow', failed: 'red' };

async function examine(config: Config, flags: Flags): Promise<number> {
  const findings = await findingsOf(config, typeof flags.sendTest === 'string' ? flags.sendTest : null);
  if (!printedForPrograms(flags, findings)) {
    printColumns(
      [
        { title: 'CHECK', cell: ({ what }) => what },
        { title: 'RESULT', cell: ({ state }) => ({ text: state, colour: colours[state] }) },
        { title: 'DETAILS', cell: ({ text, advice }) => (advice === '' ? text : `${text}: ${advice}`) },
      ],
      findings,
    );
  }
  return findings.some(({ state }) => state === 'failed') ? exitFailed : exitDone;
}

type Found = Finding | readonly Finding[];
type Looking = readonly [what: string, look: () => Found | Promise<Found>];

async function findingsOf(config: Config, testAddress: string | null): Promise<readonly Finding[]> {
  const machine = await import('./doctor-machine.ts');
  const network = await import('./doctor-network.ts');
  const { askServer } = await import('./doctor-server.ts');
  const { mailFindings } = await import('./doctor-mail.ts');
  const { checkFindings } = await import('./doctor-checks.ts');
  const server = await askServer(config);
  const baseUrl = server.baseUrl ?? baseUrlOf(config);
  const isRunning = server.baseUrl !== null;
  const { httpTlsCert, smtpTlsCert } = config;
  // A server that runs may have other settings than this shell.
  const { http, httpCompat, smtp } = server.listens ?? config;
  const looks: readonly Looking[] = [
    ['node', machine.nodeFinding],
    ['data', () => machine.dataFinding(config)],
    ['disk space', () => machine.spaceFinding(config)],
    ['disk speed', () => machine.syncFinding(config)],
    ['clock', machine.clockFinding],
    ['server', () => server.finding],
    ['http', () => network.portFinding('http', http, isRunning)],
    ...present(
      httpCompat,
      (address): Looking => ['http compat', () => network.portFinding('http compat', address, isRunning)],
    ),
    ...present(smtp, (address): Looking => ['smtp', () => network.portFinding('smtp', address, isRunning)]),
    ...present(
      server.echo,
      (path): Looking => ['base URL', () => network.baseUrlFindings(baseUrl, path, { http })],
    ),
    ...present(
      httpTlsCert,
      (file): Looking => ['http certificate', () => network.certificateFinding('http certificate', file)],
    ),
    ...present(
      smtpTlsCert,
      (file): Looking => ['smtp certificate', () => network.certificateFinding('smtp certificate', file)],
    ),
    ...(isRunning && baseUrl.startsWith('https:')
      ? [['certificate', () => network.servedCertificateFinding(baseUrl)] as const]
      : []),
    ['mail', () => mailFindings(config, testAddress, server.mailServer)],
    ...present(server.outbox, (finding): Looking => ['outbox', () => finding]),
    ['checks', () => checkFindings(config)],
  ];
  return (await Promise.all(looks.map(looked))).flat();
}

function present<T>(value: T | null, then: (value: T) => Looking): readonly Looking[] {
  return value === null ? [] : [then(value)];
}

async function looked([what, look]: Looking): Promise<Found> {
  try {
    return await look();
  } catch (error) {
    return failed(what, messageOf(error), 'run this as the user that runs Knell');
  }
}
