/**
 * The load: so many mails over so many connections, one at a time on each, as `smtp-source` does it (postfix's; used
 * where it is installed). The connections stay open, or, with `short`, each mail has one of its own. Else a client of
 * its own, in a process of its own: node mail-load.js HOST:PORT RECIPIENT CONNECTIONS MAILS [short]
 */
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startChild } from './children.ts';

export interface MailLoad {
  readonly connections: number;
  readonly mails: number;
  /** A connection for each mail. */
  readonly short?: boolean;
}

const bodyBytes = 1000;

export const mailClient = spawnSync('smtp-source', [], { stdio: 'ignore' }).error
  ? 'the built-in client'
  : 'smtp-source';

/** Resolves to mails a second; `signal` ends it early. */
export async function pour(
  smtp: string,
  recipient: string,
  load: MailLoad,
  signal?: AbortSignal,
): Promise<number> {
  const counts = ['-s', `${load.connections}`, '-m', `${load.mails}`, '-l', `${bodyBytes}`];
  const addresses = ['-f', 'job@example.org', '-t', recipient, smtp];
  const own = [fileURLToPath(import.meta.url), smtp, recipient, `${load.connections}`, `${load.mails}`];
  const [keepOpen, shortOnes] = load.short ? [[], ['short']] : [['-d'], []];
  const [program, args] =
    mailClient === 'smtp-source'
      ? ['smtp-source', [...keepOpen, ...counts, ...addresses]]
      : [process.execPath, [...own, ...shortOnes]];
  const startedMs = performance.now();
  const child = startChild(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const end = (): boolean => child.kill('SIGKILL');
  signal?.addEventListener('abort', end);
  const status = await new Promise((resolve) => child.once('exit', resolve));
  signal?.removeEventListener('abort', end);
  if (status !== 0 && !signal?.aborted) throw new Error(`the mail client failed: ${status}`);
  return (load.mails * 1000) / (performance.now() - startedMs);
}

/** One connection: the next line is written when the last was answered. */
function session(host: string, port: number, recipient: string, next: () => boolean): Promise<void> {
  const line = `${'x'.repeat(78)}\r\n`;
  const message = `Subject: load\r\n\r\n${line.repeat(Math.floor(bodyBytes / line.length))}.\r\n`;
  const steps = ['MAIL FROM:<job@example.org>\r\n', `RCPT TO:<${recipient}>\r\n`, 'DATA\r\n', message];
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let step = -2;
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      const reply = chunk.toString('latin1');
      if (socket.writableEnded || !/^\d{3} .*\r\n$/m.test(reply)) return;
      if (/^[45]/.test(reply)) reject(new Error(reply));
      step++;
      if (step === -1) socket.write('EHLO bench\r\n');
      else if (step % steps.length !== 0 || next()) socket.write(steps[step % steps.length] ?? '');
      else socket.end('QUIT\r\n');
    });
  });
}

async function main(args: readonly string[]): Promise<void> {
  const [smtp = '', recipient = '', connections = '1', mails = '1', kind] = args;
  const [host = '', port = ''] = smtp.split(':');
  let left = Number(mails);
  const one = (next: () => boolean): Promise<void> => session(host, Number(port), recipient, next);
  const worker = async (): Promise<void> => {
    if (kind !== 'short') return one(() => left-- > 0);
    while (left-- > 0) {
      let sent = 0;
      await one(() => sent++ < 1);
    }
  };
  const sessions = Array.from({ length: Number(connections) }, worker);
  await Promise.all(sessions);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
