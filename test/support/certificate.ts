/** A self-signed certificate, made on the spot. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export function selfSigned(directory: string): Certificate {
  const certFile = join(directory, 'cert.pem');
  const keyFile = join(directory, 'key.pem');
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', keyFile, '-out', certFile];
  const subject = ['-subj', '/CN=ping.example.org', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...files, ...subject], { stdio: 'ignore' });
  return { certFile, keyFile };
}
