/**
 * The thread that reads mails: it takes bytes and answers with texts, one mail after the other in the order of their arrival, so
 * that the other side knows which mail is at fault when no answer comes.
 */
import { parentPort } from 'node:worker_threads';
import { readMail } from './read-mail.ts';

let turn: Promise<void> = Promise.resolve();

parentPort?.on('message', (message: Uint8Array) => {
  turn = turn.then(async () => parentPort?.postMessage(await readMail(message)));
});
