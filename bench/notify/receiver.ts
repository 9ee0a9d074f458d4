/**
 * A receiver of webhooks as a process of its own: answers 200 at once and keeps path and time of each request. Prints its
 * port; when its input ends, prints what came, as JSON, and ends.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const arrivals: [path: string, atMs: number][] = [];
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  arrivals.push([request.url ?? '', Date.now()]);
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume();
process.stdin.on('data', () => process.stdout.write(`${arrivals.length}\n`));
process.stdin.on('end', () => {
  process.stdout.write(JSON.stringify(arrivals), () => process.exit(0));
});
