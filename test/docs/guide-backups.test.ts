/**
 * Each text of the guide for backups. restic, borg, rclone and rsync make real backups where this machine has them; of databases,
 * pgBackRest and zpool there are programs of the same name that end well or not: what is tried is when their lines ping what.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { asCron, asScript, blocksOf, type Ended, ended, standIn, tryGuide } from '../support/guides.ts';
import { tempDir } from '../support/temp-dirs.ts';

/** Those that the guide has beside the lines. */
const rules = {
  restic: 'files from restic files: below 1\nadded in B from restic added: change 90% warns',
  borg: 'files from borg files: below 1',
  rsync: 'transferred in B from rsync transferred: below 1',
  pgDump: 'bytes in B: change 50% warns',
};

/** With a file to back up, and a repository for each program. */
let machine = '';
let env: Readonly<Record<string, string>> = {};
beforeAll(() => {
  machine = tempDir();
  mkdirSync(join(machine, 'srv'));
  writeFileSync(join(machine, 'srv/marker'), 'precious');
  env = {
    HOME: machine,
    RESTIC_REPOSITORY: join(machine, 'restic'),
    RESTIC_PASSWORD: 'secret',
    BORG_REPO: join(machine, 'borg'),
    BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
    RCLONE_CONFIG_REMOTE_TYPE: 'local',
  };
});
afterAll(() => {
  env = {};
});

/** The text on this machine: what it backs up is there, or is not. */
const onMachine = (text: string, works: boolean): string =>
  text
    .replaceAll('/srv', join(machine, works ? 'srv' : 'missing'))
    .replaceAll('remote:', `remote:${machine}/copy`)
    .replaceAll('backup.example.org:srv/', `${machine}/rsync/`);

/** Restic with a repository that is made for the first. */
async function asRestic(text: string, works: boolean, run: (text: string) => Promise<Ended>): Promise<Ended> {
  await ended('restic', ['init'], { env });
  return run(onMachine(text, works));
}

const lineOf =
  (from: (text: string, works: boolean) => string) =>
  (text: string, works: boolean): Promise<Ended> =>
    asCron(from(text, works), { env });

/** The lines of pgBackRest, each by itself. */
async function pgbackrest(text: string, works: boolean): Promise<readonly Ended[]> {
  const folder = standIn('pgbackrest', `echo "P00 INFO: $*"; exit ${works ? 0 : 82}`);
  const ran: Ended[] = [];
  for (const line of text.split('\n')) ran.push(await asCron(line, { folder }));
  return ran;
}

/** A job for two virtual machines, of which one may fail. */
async function vzdump(text: string, works: boolean): Promise<void> {
  const script = text.replace('/run/', `${tempDir()}/`);
  const phases = [
    ['job-start'],
    ['backup-start', 'snapshot', '100'],
    [works ? 'backup-end' : 'backup-abort', 'snapshot', '100'],
    ['backup-start', 'snapshot', '101'],
    ['backup-end', 'snapshot', '101'],
    ['job-end'],
  ];
  const file = join(tempDir(), 'hook');
  writeFileSync(file, script);
  for (const phase of phases) expect((await ended('sh', [file, ...phase])).status).toBe(0);
}

async function duplicati(text: string, works: boolean): Promise<void> {
  const report = join(tempDir(), 'report');
  writeFileSync(report, 'MainOperation: Backup');
  const both = { DUPLICATI__OPERATIONNAME: 'Backup', DUPLICATI__RESULTFILE: report };
  await asScript('sh', text, { env: { ...both, DUPLICATI__EVENTNAME: 'BEFORE', DUPLICATI__RESULTFILE: '' } });
  const result = works ? 'Warning' : 'Error';
  await asScript('sh', text, {
    env: { ...both, DUPLICATI__EVENTNAME: 'AFTER', DUPLICATI__PARSED_RESULT: result },
  });
}

tryGuide(
  'guide-backups',
  {
    restic: {
      needs: 'restic',
      isSlow: true,
      run: (text, works) => asRestic(text, works, (line) => asCron(line, { env })),
      check: { exit_codes: '0=success,3=warning,*=failure', results: rules.restic },
      results: { files: 1, added: expect.any(Number) },
    },
    'restic 2': {
      needs: 'restic',
      isSlow: true,
      run: (text, works) => asRestic(text, works, (script) => asScript('sh', script, { env })),
    },
    borg: {
      needs: 'borg',
      isSlow: true,
      run: async (text, works) => {
        await ended('borg', ['init', '-e', 'none'], { env });
        return asCron(onMachine(text, works), { env });
      },
      check: { exit_codes: '0=success,100=warning,*=failure', results: rules.borg },
      results: { files: 1 },
    },
    rclone: { needs: 'rclone', run: lineOf(onMachine) },
    rsync: {
      needs: 'rsync',
      run: lineOf(onMachine),
      check: { exit_codes: '0=success,24=warning,*=failure', results: rules.rsync },
      results: { transferred: 8 },
    },
    pg_dump: {
      check: { results: rules.pgDump },
      results: { bytes: expect.any(Number) },
      run: (text, works) => {
        const folder = standIn('pg_dump', `echo 'CREATE TABLE a ();'; exit ${works ? 0 : 1}`);
        return asScript('bash', text.replaceAll('/backup/', `${machine}/`), { folder });
      },
    },
    pgBackRest: {
      run: pgbackrest,
      ...{ works: ['start', 'success', 'start', 'success'], fails: ['start', 'fail', 'start', 'fail'] },
    },
    'pgBackRest 2': { run: pgbackrest },
    'Proxmox VE': { run: vzdump },
    Duplicati: { run: duplicati, works: ['start', 'warn'] },
    ZFS: {
      run: (text, works) => {
        const folder = standIn('zpool', `echo '${works ? 'all pools are healthy' : '  pool: tank'}'`);
        return asCron(text, { folder });
      },
      ...{ works: ['success'], fails: ['fail'] },
    },
    'Is it really there?': {
      needs: 'restic',
      isSlow: true,
      run: async (text, works) => {
        await ended('restic', ['init'], { env });
        await ended('restic', ['backup', join(machine, 'srv')], { env });
        return asScript('sh', onMachine(text, works), { env });
      },
    },
  },
  { 'borg 2': 'borgmatic itself: test/path/clients.test.ts' },
);

test('what is for borgmatic is YAML with its settings', () => {
  expect(parse(blocksOf('guide-backups').get('borg 2') ?? '').healthchecks).toMatchObject({
    ping_url: expect.stringContaining('/ping/UUID'),
    states: ['start', 'finish', 'fail'],
  });
});

test('the rules are those of the guide', () => {
  const text = readFileSync(new URL('../../src/docs/guide-backups.md', import.meta.url), 'utf8');
  for (const rule of Object.values(rules).join('\n').split('\n')) expect(text).toContain(`\`${rule}\``);
});
