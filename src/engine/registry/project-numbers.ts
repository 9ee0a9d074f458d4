/**
 * The ids of projects, each once, by a number that fits into a check's row, and how often what their lists show has moved. Never
 * forgotten: projects are few, and one that is deleted leaves some 100 bytes.
 * Invariant: a count only grows, also when what was moved is rolled back.
 */
import { asProjectId, type ProjectId } from '../../lib/ids.ts';
import { UuidWords } from '../../lib/uuid-words.ts';
import { textOfWords } from '../../store/codec/uuid.ts';

const projectsAtFirst = 64;

export class ProjectNumbers {
  readonly #ids: ProjectId[] = [];
  readonly #numbers = new Map<ProjectId, number>();
  /** The one that was asked for last: at a start nearly always the next one too. */
  readonly #last = new UuidWords();
  #lastNumber = -1;
  #moves = new Float64Array(projectsAtFirst);

  numberOf(words: UuidWords): number {
    const last = this.#last;
    if (this.#lastNumber >= 0 && last.equals(words)) return this.#lastNumber;
    const number = this.numberOfId(asProjectId(textOfWords(words)));
    Object.assign(last, words);
    this.#lastNumber = number;
    return number;
  }

  numberOfId(id: ProjectId): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#ids.push(id) - 1;
    this.#numbers.set(id, number);
    if (number >= this.#moves.length) {
      const moves = this.#moves;
      this.#moves = new Float64Array(2 * moves.length);
      this.#moves.set(moves);
    }
    return number;
  }

  /** Something that a list of the project shows has changed, or may have. */
  moved(number: number): void {
    this.#moves[number] = (this.#moves[number] ?? 0) + 1;
  }

  movesOf(number: number): number {
    return this.#moves[number] ?? 0;
  }

  idOf(number: number): ProjectId {
    return this.#ids[number] as ProjectId;
  }
}
