/** Reads configuration files from a file, a folder or stdin, and the secrets that they name from this machine. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ConfigurationFile } from '../../apply/read-desired.ts';
import type { SecretSource } from '../../apply/secrets.ts';
import { KnellError, systemCode } from '../../lib/errors.ts';
import { secretFile } from '../../lib/secret-file.ts';
import { configurationBytesMax } from '../io/limits.ts';

/** Reads a file, stdin if `path` is `-`, or all `.yaml` and `.yml` files of a folder, by name. Throws a KnellError `usage`. */
export function readFiles(path: string): readonly ConfigurationFile[] {
  if (path === '-') return [{ name: '-', text: textOf(0, 'stdin'), directory: process.cwd() }];
  return pathsIn(path).map((file) => ({
    name: file,
    text: textOf(file, file),
    directory: dirname(resolve(file)),
  }));
}

function pathsIn(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => /\.ya?ml$/.test(name));
    if (names.length === 0) throw new KnellError('usage', `there is no .yaml file in ${path}`);
    return names.sort().map((name) => join(path, name));
  } catch (cause) {
    throw cause instanceof KnellError ? cause : unreadable(path, cause);
  }
}

function textOf(file: string | number, name: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    throw unreadable(name, cause);
  }
  if (bytes.length > configurationBytesMax) throw new KnellError('usage', `${name} is larger than 20 MB`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new KnellError('usage', `${name} is not UTF-8`);
  }
}

function unreadable(name: string, cause: unknown): KnellError {
  return new KnellError('usage', `cannot read ${name} (${systemCode(cause)})`, { cause });
}

export const secretsHere: SecretSource = {
  env: (name) => process.env[name],
  file: (path, from) => secretFile(resolve(from, path), 'secret'),
};
