// Kills the processes of a test that has ended without doing so itself: killed, or crashed. Lines on stdin: `+pid` to watch one,
// `-pid` once it has ended. When stdin ends, what is left is killed.
import { createInterface } from 'node:readline';

const pids = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) pids.add(pid);
  else pids.delete(pid);
}
for (const pid of pids) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
