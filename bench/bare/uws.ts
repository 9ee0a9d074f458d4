/**
 * The counterpart of the throughput bench: uWebSockets.js answering OK, nothing else. A process of its own; prints its
 * port, ends with its standard input.
 */
import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js';

App()
  .any('/*', (res, req) => {
    // The body must have come before an answer that keeps the connection can go out.
    if (req.getMethod() === 'post') takeBody(res);
    else if (req.getMethod() === 'head') res.writeHeader('Content-Length', '2').endWithoutBody();
    else res.end('OK');
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (socket) process.stdout.write(`ready http=http://127.0.0.1:${us_socket_local_port(socket)}\n`);
  });
process.stdin.resume().on('end', () => process.exit(0));
// Node writes the CPU profile of a process that ends by itself.
process.on('SIGTERM', () => process.exit(0));

function takeBody(res: HttpResponse): void {
  res.onAborted(() => {});
  res.onData((_chunk, isLast) => {
    if (isLast) res.end('OK');
  });
}
