/**
 * A command line in the words that a shell would see, by its parts: what `&&`, `||`, `;`, `|` and their like join. Redirections
 * are left out; quotes are taken off, and nothing in them is expanded.
 * Invariant: pure, linear, and for any text: what is left open ends with it.
 */
import { commandPartsMax } from '../limits.ts';

/** `after`: what joins it to the part before. */
export interface Part {
  readonly words: readonly string[];
  readonly after: string;
}

class Reader {
  readonly parts: Part[] = [];
  #words: string[] = [];
  #after = ';';
  /** Null between words: an empty word in quotes is one. */
  #word: string | null = null;
  /** Of a redirection: the word is where it goes to. */
  #isTarget = false;

  add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  get isInWord(): boolean {
    return this.#word !== null;
  }

  /** Of a file descriptor before it, such as the 2 of `2>&1`, too. */
  redirect(): void {
    if (this.#word !== null && /^\d+$/.test(this.#word)) this.#word = null;
    this.endWord();
    this.#isTarget = true;
  }

  endWord(): void {
    if (this.#word === null) return;
    if (!this.#isTarget) this.#words.push(this.#word);
    this.#isTarget = false;
    this.#word = null;
  }

  endPart(after: string): void {
    this.endWord();
    if (this.#words.length > 0) this.parts.push({ words: this.#words, after: this.#after });
    this.#words = [];
    this.#after = after;
  }
}

const plain = /[^\\'"`$<>&|;()\n# \t]+/y;

export function partsOf(command: string): readonly Part[] {
  const reader = new Reader();
  for (let at = 0; at < command.length && reader.parts.length < commandPartsMax; ) {
    plain.lastIndex = at;
    const [text] = plain.exec(command) ?? [];
    if (text !== undefined) {
      reader.add(text);
      at += text.length;
      continue;
    }
    const quoted = quotedAt(command, at);
    if (quoted) {
      reader.add(quoted.text);
      at = quoted.end;
      continue;
    }
    const [redirection] = /^&?[<>]+[&|]?[ \t]*/.exec(command.slice(at, at + 8)) ?? [];
    const [joint] = /^(?:&&|\|\|&?|\|&|[;|&()\n])/.exec(command.slice(at, at + 3)) ?? [];
    const character = command.charAt(at);
    if (redirection !== undefined) reader.redirect();
    else if (joint !== undefined) reader.endPart(joint === '|&' ? '|' : joint);
    else if (character === ' ' || character === '\t') reader.endWord();
    else if (character === '#' && !reader.isInWord) break;
    else reader.add(character);
    at += (redirection ?? joint ?? character).length;
  }
  reader.endPart(';');
  return reader.parts;
}

interface Quoted {
  readonly text: string;
  readonly end: number;
}

/** What is quoted or substituted there, as one piece of a word; null for nothing. */
function quotedAt(command: string, at: number): Quoted | null {
  const character = command.charAt(at);
  if (character === '\\') return { text: command.charAt(at + 1), end: at + 2 };
  if (character === "'") {
    const end = endOf(command, command.indexOf("'", at + 1));
    return { text: command.slice(at + 1, end), end: end + 1 };
  }
  if (character === '"' || character === '`') {
    let end = at + 1;
    while (end < command.length && command.charAt(end) !== character)
      end += command.charAt(end) === '\\' ? 2 : 1;
    const text = command.slice(at + 1, end);
    return { text: character === '`' ? '`' : text.replace(/\\(["\\$`])/g, '$1'), end: end + 1 };
  }
  if (!command.startsWith('$(', at)) return null;
  let depth = 0;
  let end = at + 1;
  for (; end < command.length; end++) {
    if (command.charAt(end) === '(') depth++;
    else if (command.charAt(end) === ')' && --depth === 0) break;
  }
  // What it comes to is not known.
  return { text: '$', end: end + 1 };
}

function endOf(command: string, found: number): number {
  return found < 0 ? command.length : found;
}
