/**
 * The thread that reads mails: bytes in, texts out, one after the other in the order of their coming, so that the
 * other side knows which mail is at fault when no answer comes.
 */
import { parentPort } from 'node:worker_threads';
import { readMail } from './read-mail.ts';

let turn: Promise<void> = Promise.resolve();

parentPort?.on('message', (message: Uint8Array) => {
  turn = turn.then(async () => parentPort?.postMessage(await readMail(message)));
});
