/**
 * The ids of projects, each once, by a number that fits into a check's row. Never forgotten: projects are few, and one that is
 * deleted leaves some 100 bytes.
 */
import { asProjectId, type ProjectId } from '../../lib/ids.ts';
import { UuidWords } from '../../lib/uuid-words.ts';
import { textOfWords } from '../../store/codec/uuid.ts';

export class ProjectNumbers {
  readonly #ids: ProjectId[] = [];
  readonly #numbers = new Map<ProjectId, number>();
  /** The one that was asked for last: at a start nearly always the next one too. */
  readonly #last = new UuidWords();
  #lastNumber = -1;

  numberOf(words: UuidWords): number {
    const last = this.#last;
    if (this.#lastNumber >= 0 && last.equals(words)) return this.#lastNumber;
    const id = asProjectId(textOfWords(words));
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.#ids.push(id) - 1;
      this.#numbers.set(id, number);
    }
    Object.assign(last, words);
    this.#lastNumber = number;
    return number;
  }

  idOf(number: number): ProjectId {
    return this.#ids[number] as ProjectId;
  }
}
