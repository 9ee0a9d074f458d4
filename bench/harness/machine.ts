/** What the figures were measured on, read off the machine. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statfsSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { generator } from './load.ts';

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
  readonly generator: string;
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
    fileSystem: fileSystems[statfsSync(tmpdir()).type] ?? 'unknown',
    commit: commit(),
    generator,
    packages: packages(),
  };
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function packages(): Readonly<Record<string, string>> {
  const lock = JSON.parse(readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8'));
  const versionOf = (name: string): string => lock.packages[`node_modules/${name}`]?.version ?? 'unknown';
  return Object.fromEntries(['uWebSockets.js', 'lmdb', 'xstate'].map((name) => [name, versionOf(name)]));
}
