/**
 * A secret from a variable, or from the file that the variable with `_FILE` at its end names: what Docker, Kubernetes and
 * systemd give a service as files.
 * Invariant: an error names the variable, never the secret.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { KnellError, systemCode } from './errors.ts';
import { secretBytesMax } from './limits.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `KNELL_MAIL_URL` → `KNELL_MAIL_URL_FILE`. */
export function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

/** Undefined when neither is set. Throws a KnellError `usage` when both are, or when the file cannot be used. */
export function secretIn(env: Env, variable: string): string | undefined {
  const name = fileVariable(variable);
  const file = env[name];
  if (file === undefined) return env[variable];
  if (env[variable] !== undefined)
    throw new KnellError('usage', `${variable} and ${name} are both set: set one of them`);
  if (file === '') throw new KnellError('usage', `${name} names no file`);
  return secretFile(resolve(file), name);
}

/** The text of a file without one newline at its end, which editors add. `name`: what is wrong when it cannot be used. */
export function secretFile(file: string, name: string): string {
  const bytes = bytesOf(file, name);
  if (bytes.length > secretBytesMax)
    throw new KnellError('usage', `${name}: ${file} is too large for a secret (64 kB at most)`);
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (text === '') throw new KnellError('usage', `${name}: ${file} is empty`);
  return text;
}

/** Reads a bounded part of a file that may never end: a device, or a pipe. */
function bytesOf(file: string, name: string): Buffer {
  const bytes = Buffer.alloc(secretBytesMax + 1);
  try {
    const descriptor = openSync(file, 'r');
    try {
      let length = 0;
      while (length < bytes.length) {
        const read = readSync(descriptor, bytes, length, bytes.length - length, null);
        if (read === 0) break;
        length += read;
      }
      return bytes.subarray(0, length);
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw new KnellError('usage', `${name}: cannot read ${file} (${systemCode(cause)})`, { cause });
  }
}
