/**
 * The processes that the suite starts. Invariant: each is ended by its own id, at the latest by `endChildren`, whatever a
 * bench throws and however the suite itself ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';

const alive = new Set<ChildProcess>();

export function startChild(...[program, args, options]: Parameters<typeof spawn>): ChildProcess {
  const child = spawn(program, args, options);
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  child.once('error', () => alive.delete(child));
  return child;
}

/** Resolves when the child has ended. */
export function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

/** Ends what a bench has left running. */
export async function endChildren(): Promise<void> {
  await Promise.all([...alive].map((child) => endChild(child, 'SIGKILL')));
}

/** Runs to the end; resolves to what it printed, rejects when it failed. */
export function outputOf(
  program: string,
  args: readonly string[],
  input = '',
): { readonly pid: number; readonly text: Promise<string> } {
  const child = startChild(program, [...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const text = new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk) => {
      said += chunk;
    });
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve(said);
      else reject(new Error(`${program} ended with ${status ?? child.signalCode}`));
    });
    // A child that ended early has said why by its status.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
  return { pid: child.pid ?? 0, text };
}

process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => process.exit(status));
}
