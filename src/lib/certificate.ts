/**
 * A certificate and its key in PEM files, read at the start and again when they change: they are renewed every few weeks,
 * and a restart for that would be one more thing to forget.
 * Not here: what is served under it.
 * Invariant: a pair that is given out is whole and fits; files that do not fit change nothing but the log.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { KnellError, messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** The settings that name them, for errors: `KNELL_SMTP_TLS`. */
  readonly setting: string;
}

/** `cert` and `key` as `setting` gives them: null where there is no certificate. */
export function certificateFiles(
  setting: string,
  cert: string | null,
  key: string | null,
): CertificateFiles | null {
  return cert === null || key === null ? null : { certFile: cert, keyFile: key, setting };
}

/** A certificate in PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Throws a KnellError `usage` that names the setting, when the files cannot be read or do not fit. */
export function readCertificate({ certFile, keyFile, setting }: CertificateFiles): Certificate {
  const read = (file: string, variable: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (cause) {
      throw new KnellError('usage', `${variable}: ${messageOf(cause)}`, { cause });
    }
  };
  const pair = { cert: read(certFile, `${setting}_CERT`), key: read(keyFile, `${setting}_KEY`) };
  try {
    createSecureContext(pair);
  } catch (cause) {
    throw new KnellError('usage', `${setting}_CERT and ${setting}_KEY: ${messageOf(cause)}`, { cause });
  }
  return pair;
}

interface WatchOptions {
  /** Null: there is nothing to watch. */
  readonly files: CertificateFiles | null;
  readonly logger: Logger;
  readonly everyMs: number;
  /** Called with a pair that fits. What it throws is logged like a pair that does not. */
  readonly renewed: (certificate: Certificate) => void;
}

/**
 * Looks at the files from time to time: a watch on a directory misses what containers and symlinks do. Returns the function
 * that ends it.
 */
export function watchCertificate({ files, logger, everyMs, renewed }: WatchOptions): () => void {
  if (files === null) return () => {};
  const { certFile, keyFile } = files;
  let seen = [fingerprintNow(certFile), fingerprintNow(keyFile)].join(' ');
  let isLooking = false;
  const look = async (): Promise<void> => {
    const now = (await Promise.all([fingerprint(certFile), fingerprint(keyFile)])).join(' ');
    if (now === seen) return;
    seen = now;
    readAgain(files, logger, renewed);
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Once for each change: files that stay wrong are not worth a second line. */
function readAgain(files: CertificateFiles, logger: Logger, renewed: WatchOptions['renewed']): void {
  const { certFile, setting } = files;
  try {
    const pair = readCertificate(files);
    renewed(pair);
    logger.info(
      { certFile, validTo: new X509Certificate(pair.cert).validTo },
      'the certificate was read again',
    );
  } catch (error) {
    logger.warn(
      { setting, error: messageOf(error) },
      'the new certificate cannot be used: the old one stays',
    );
  }
}

/** A text that differs when a file or a symlink to it was replaced. */
function fingerprintOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join();
}

/** Fingerprint of no file: while it is replaced there may be none for an instant. */
const absent = 'absent';

async function fingerprint(file: string): Promise<string> {
  return stat(file).then(fingerprintOf, () => absent);
}

function fingerprintNow(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? fingerprintOf(stats) : absent;
}
