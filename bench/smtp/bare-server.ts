/**
 * What the mail door is measured against: smtp-server alone, which takes every mail and drops it. Prints its port.
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
  if (typeof address === 'object' && address) process.stdout.write(`ready 127.0.0.1:${address.port}\n`);
});
