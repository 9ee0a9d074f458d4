/**
 * The counterpart of the mails bench: smtp-server alone, which takes every mail and drops it. A process of its own;
 * prints its port, ends with its standard input.
 */
import { SMTPServer } from 'smtp-server';

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, callback) {
    stream.resume();
    stream.once('end', () => callback());
  },
});

const listener = server.listen(0, '127.0.0.1', () => {
  const address = listener.address();
  if (typeof address === 'object' && address) {
    process.stdout.write(`ready http=none smtp=127.0.0.1:${address.port}\n`);
  }
});
process.stdin.resume().on('end', () => process.exit(0));
