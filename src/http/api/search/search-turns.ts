/**
 * Who searches when: a few searches at once, of each project fewer, and of all of them one slice in each turn of the event loop.
 * Invariant: one project cannot take all places, and however many search, the loop is held for one slice at a time.
 */
import { outputSearchLimits } from '../../limits.ts';

interface Waiting {
  readonly project: string;
  readonly go: () => void;
}

export class SearchTurns {
  readonly #running = new Map<string, number>();
  #runningInAll = 0;
  readonly #waiting: Waiting[] = [];
  readonly #slices: (() => void)[] = [];

  /** Resolves when a search of the project may begin; null if too many of it wait. Each that began has to `leave`. */
  enter(project: string): Promise<void> | null {
    if (this.#hasPlace(project)) {
      this.#take(project);
      return Promise.resolve();
    }
    const { waitingPerProject, waitingMax } = outputSearchLimits;
    const own = this.#waiting.filter((one) => one.project === project).length;
    if (own >= waitingPerProject || this.#waiting.length >= waitingMax) return null;
    return new Promise((go) => this.#waiting.push({ project, go }));
  }

  leave(project: string): void {
    const left = (this.#running.get(project) ?? 1) - 1;
    if (left > 0) this.#running.set(project, left);
    else this.#running.delete(project);
    this.#runningInAll--;
    const next = this.#waiting.findIndex((one) => this.#hasPlace(one.project));
    const [waiting] = next < 0 ? [] : this.#waiting.splice(next, 1);
    if (!waiting) return;
    this.#take(waiting.project);
    waiting.go();
  }

  /** Resolves in a turn of the event loop in which no other search has a slice. */
  slice(): Promise<void> {
    return new Promise((go) => {
      if (this.#slices.push(go) === 1) setImmediate(() => this.#give());
    });
  }

  #give(): void {
    this.#slices[0]?.();
    this.#slices.shift();
    if (this.#slices.length > 0) setImmediate(() => this.#give());
  }

  #hasPlace(project: string): boolean {
    const { atOncePerProject, atOnceMax } = outputSearchLimits;
    return this.#runningInAll < atOnceMax && (this.#running.get(project) ?? 0) < atOncePerProject;
  }

  #take(project: string): void {
    this.#running.set(project, (this.#running.get(project) ?? 0) + 1);
    this.#runningInAll++;
  }
}
