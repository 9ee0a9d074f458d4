/** What the figures were measured on, read off the machine. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Magic numbers of statfs(2), for those that benches are run on. */
const fileSystems: Readonly<Record<number, string>> = {
  61267: 'ext4',
  16914836: 'tmpfs',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  2035054128: 'overlayfs',
};

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: string;
  readonly kernel: string;
  readonly node: string;
  readonly fileSystem: string;
  readonly commit: string;
  readonly packages: Readonly<Record<string, string>>;
}

export function readMachine(): Machine {
  const [first] = cpus();
  return {
    cpu: first?.model ?? 'unknown',
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `${type()} ${release()}`,
    node: process.version,
    fileSystem: fileSystems[statfsSync(workDir()).type] ?? 'unknown',
    commit: commit(),
    packages: packages(),
  };
}

/**
 * Where data directories are made: the system's temporary directory, unless that is memory, where a sync costs nothing
 * and durable pings would look faster than on any disk.
 */
export function workDir(): string {
  if (fileSystems[statfsSync(tmpdir()).type] !== 'tmpfs') return tmpdir();
  const dir = join(root, 'data');
  mkdirSync(dir, { recursive: true });
  return dir;
}

/** Results of the last commit and of what was changed since are not to be taken for each other. */
function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changed = git('status', '--porcelain', '--', '.', ':!bench/results', ':!bench/RESULTS.md') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? '-changed' : ''}`;
  } catch {
    return 'unknown';
  }
}

const measured = ['uWebSockets.js', 'lmdb', 'xstate', 'smtp-server', 'mailparser', 'tinybench'];

function packages(): Readonly<Record<string, string>> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const versionOf = (name: string): string => lock.packages[`node_modules/${name}`]?.version ?? 'unknown';
  return Object.fromEntries(measured.map((name) => [name, versionOf(name)]));
}
