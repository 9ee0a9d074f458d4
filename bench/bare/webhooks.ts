/**
 * Where webhooks of the lateness bench arrive: notes when each came. A process of its own, so that it neither waits for
 * the measured one nor holds it up. `GET /report` lists `[path, ms]` of each; ends with its standard input.
 */
import { createServer } from 'node:http';

const arrivals: [path: string, atMs: number][] = [];

const server = createServer((request, response) => {
  if (request.url === '/report') {
    response.end(JSON.stringify(arrivals));
    return;
  }
  arrivals.push([request.url ?? '', Date.now()]);
  request.resume();
  response.end('OK');
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) {
    process.stdout.write(`ready http=http://127.0.0.1:${address.port}\n`);
  }
});
process.stdin.resume().on('end', () => process.exit(0));
