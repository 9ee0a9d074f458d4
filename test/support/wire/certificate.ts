/** Self-signed certificates, made on the spot, and how they get into their place. */
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export const certificateName = 'ping.example.org';

/** `serial` distinguishes them: up to 9. */
export function selfSigned(directory: string, serial = 1, name = certificateName): Certificate {
  const certFile = join(directory, `cert-${serial}.pem`);
  const keyFile = join(directory, `key-${serial}.pem`);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', keyFile, '-out', certFile];
  const names = ['-addext', `subjectAltName=DNS:${name}`];
  const subject = ['-subj', `/CN=${name}`, ...names, '-days', '2', '-set_serial', String(serial)];
  execFileSync('openssl', ['req', '-x509', ...curve, ...files, ...subject], { stdio: 'ignore' });
  return { certFile, keyFile };
}

/** As the clients of certificate authorities do it: a new file takes the old one's name. */
export function replaceWith(renewed: Certificate, place: Certificate): void {
  renameSync(renewed.certFile, place.certFile);
  renameSync(renewed.keyFile, place.keyFile);
}
