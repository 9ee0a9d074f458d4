/**
 * Clients of `GET /api/v3/events` as a process of its own: so many, over raw sockets, some of which want every ping. Its arguments
 * are the address, the key, how many, and how many of them want pings. Prints a line once all listen; when its input ends, prints
 * how many events came, as JSON, and ends.
 * Invariant: it counts events in the bytes that come and parses nothing else, so that it costs the machine little.
 */
import { connect } from 'node:net';

const [url = '', key = '', count = '0', ofPings = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const received: number[] = [];
let listening = 0;

for (let at = 0; at < Number(count); at++) {
  const types = at < Number(ofPings) ? 'ping,status' : 'status';
  received.push(0);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /api/v3/events?types=${types} HTTP/1.1\r\nHost: ${hostname}\r\nX-Api-Key: ${key}\r\n\r\n`,
  );
  let hasHead = false;
  socket.on('data', (bytes) => {
    if (!hasHead && bytes.includes('retry:')) {
      hasHead = true;
      if (++listening === Number(count)) process.stdout.write('listening\n');
    }
    for (
      let from = bytes.indexOf('event: status');
      from >= 0;
      from = bytes.indexOf('event: status', from + 1)
    )
      received[at] = (received[at] ?? 0) + 1;
  });
}
process.stdin.resume();
process.stdin.on('end', () => process.stdout.write(JSON.stringify(received), () => process.exit(0)));
