/**
 * The counterpart of the throughput bench: uWebSockets.js answering OK, nothing else. A process of its own; prints its
 * port, ends with its standard input.
 */
import { App, us_socket_local_port } from 'uWebSockets.js';

App()
  .any('/*', (res) => {
    res.end('OK');
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (socket) process.stdout.write(`ready http=http://127.0.0.1:${us_socket_local_port(socket)}\n`);
  });
process.stdin.resume().on('end', () => process.exit(0));
