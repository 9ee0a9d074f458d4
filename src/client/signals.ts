/**
 * The signals that a command runner receives: passed on to the command, and counted.
 * Invariant: from its creation until `release`, none of them ends this process by itself.
 */
import type { ChildProcess } from 'node:child_process';

const passedOn: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
/** Signals that ask a program to end. */
const ending: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];

export class Signals {
  #command: ChildProcess | null = null;
  #endings = 0;
  readonly #enough = new AbortController();
  readonly #ended = new AbortController();

  #runNow = (): void => {};
  readonly #alarm = (): void => this.#runNow();
  readonly #listener = (signal: NodeJS.Signals): void => this.#receive(signal);

  constructor() {
    for (const signal of passedOn) process.on(signal, this.#listener);
  }

  /** Until `release`, SIGALRM calls this. */
  onAlarm(runNow: () => void): void {
    this.#runNow = runNow;
    process.on('SIGALRM', this.#alarm);
  }

  /** Gives signals back: from now on they do what they do to any process. */
  release(): void {
    for (const signal of passedOn) process.off(signal, this.#listener);
    process.off('SIGALRM', this.#alarm);
  }

  /** Aborted once a signal has asked to end. */
  get asked(): AbortSignal {
    return this.#ended.signal;
  }

  /** Aborted once a second such signal came while no command ran: nobody wants to wait any more. */
  get impatient(): AbortSignal {
    return this.#enough.signal;
  }

  /** Passes signals to that process from now on; null: to nobody. */
  passTo(command: ChildProcess | null): void {
    this.#command = command;
  }

  #receive(signal: NodeJS.Signals): void {
    if (ending.includes(signal)) {
      this.#endings++;
      this.#ended.abort();
      if (this.#command === null && this.#endings > 1) this.#enough.abort();
    }
    if (!terminalSends(signal)) this.#command?.kill(signal);
  }
}

/** At a terminal these keys reach the command by themselves; a second signal would count as a second key. */
function terminalSends(signal: NodeJS.Signals): boolean {
  return (signal === 'SIGINT' || signal === 'SIGQUIT') && process.stdin.isTTY;
}
