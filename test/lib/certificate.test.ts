/** Which pairs of files are taken, and when they are read again. */
import { appendFileSync, copyFileSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Certificate,
  certificateFiles,
  readCertificate,
  watchCertificate,
} from '../../src/lib/certificate.ts';
import { type Logger, silentLogger } from '../../src/lib/logger.ts';
import { eventually } from '../support/patience.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { replaceWith, selfSigned } from '../support/wire/certificate.ts';

const unwatch: (() => void)[] = [];

afterEach(() => {
  for (const end of unwatch.splice(0)) end();
});

/** What a watch on these files gave out and logged. */
function watching(certFile: string, keyFile: string) {
  const renewed: Certificate[] = [];
  const warnings: unknown[] = [];
  const logger: Logger = { ...silentLogger, warn: (...args: unknown[]) => warnings.push(args) };
  const files = certificateFiles('KNELL_TEST_TLS', certFile, keyFile);
  unwatch.push(watchCertificate({ files, logger, everyMs: 5, renewed: (pair) => renewed.push(pair) }));
  return { renewed, warnings };
}

describe('a pair of files', () => {
  test('that fits is read', () => {
    const { certFile, keyFile } = selfSigned(tempDir());
    const files = { certFile, keyFile, setting: 'KNELL_TEST_TLS' };
    expect(readCertificate(files)).toEqual({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
  });

  test('that does not fit, is cut, or is not there is refused under the name of its setting', () => {
    const directory = tempDir();
    const [one, two] = [selfSigned(directory, 1), selfSigned(directory, 2)];
    const cut = join(directory, 'cut.pem');
    writeFileSync(cut, readFileSync(one.certFile).subarray(0, 300));
    for (const wrong of [
      { ...one, keyFile: two.keyFile },
      { ...one, certFile: cut },
      { ...one, certFile: join(directory, 'missing.pem') },
      { ...one, keyFile: one.certFile },
    ]) {
      expect(() => readCertificate({ ...wrong, setting: 'KNELL_TEST_TLS' })).toThrow(/^KNELL_TEST_TLS_/);
    }
  });
});

describe('a renewed pair is read', () => {
  test('when its files replace the old ones', async () => {
    const directory = tempDir();
    const [one, two] = [selfSigned(directory, 1), selfSigned(directory, 2)];
    const { renewed } = watching(one.certFile, one.keyFile);
    const cert = readFileSync(two.certFile);
    replaceWith(two, one);
    await eventually(() => expect(renewed.at(-1)?.cert).toEqual(cert));
  });

  test('when a symlink on the way to them is set to another directory', async () => {
    const directory = tempDir();
    const [one, two] = [selfSigned(directory, 1), selfSigned(directory, 2)];
    const links = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
    const pointTo = ({ certFile, keyFile }: typeof one): void => {
      for (const [from, to] of [
        [certFile, links.certFile],
        [keyFile, links.keyFile],
      ] as const) {
        symlinkSync(from, `${to}.new`);
        renameSync(`${to}.new`, to);
      }
    };
    pointTo(one);
    const { renewed } = watching(links.certFile, links.keyFile);
    pointTo(two);
    await eventually(() => expect(renewed.at(-1)?.cert).toEqual(readFileSync(two.certFile)));
  });

  test('only when it is whole and fits; until then the old one stays, with one warning', async () => {
    const directory = tempDir();
    const [one, two] = [selfSigned(directory, 1), selfSigned(directory, 2)];
    const { renewed, warnings } = watching(one.certFile, one.keyFile);
    copyFileSync(two.certFile, one.certFile);
    await eventually(() => expect(warnings.length).toBe(1));
    appendFileSync(one.certFile, '\n');
    await eventually(() => expect(warnings.length).toBe(2));
    expect(renewed).toEqual([]);
    copyFileSync(two.keyFile, one.keyFile);
    await eventually(() => expect(renewed.length).toBe(1));
    expect(warnings.length).toBe(2);
  });
});
