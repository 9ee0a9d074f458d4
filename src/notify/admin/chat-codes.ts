/**
 * The codes by which forms find their chats: each is shown in one form, and where it is sent is that form's chat.
 * Invariant: a code is known to who asked for it, and is worth nothing after some minutes, nor after a restart; their number is
 * bounded, and the oldest is forgotten first.
 */
import type { Ids } from '../../lib/ids.ts';
import { chatCodeChars, chatCodeMs, chatCodesMax } from '../contract/limits.ts';

interface Options {
  readonly ids: Pick<Ids, 'randomBase62'>;
  nowMs(): number;
}

interface Code<Chat> {
  readonly untilMs: number;
  /** Null until it is found. */
  chat: Chat | null;
  /** Why the chat cannot be used; empty if nothing is known against it. */
  error: string;
}

export class ChatCodes<Chat> {
  readonly #options: Options;
  /** The oldest first. */
  readonly #codes = new Map<string, Code<Chat>>();

  constructor(options: Options) {
    this.#options = options;
  }

  begin(): string {
    const code = this.#options.ids.randomBase62(chatCodeChars);
    this.#dropOutdated();
    const [oldest] = this.#codes.keys();
    if (this.#codes.size >= chatCodesMax && oldest !== undefined) this.#codes.delete(oldest);
    this.#codes.set(code, { untilMs: this.#options.nowMs() + chatCodeMs, chat: null, error: '' });
    return code;
  }

  /** Returns undefined if nobody was given the code, or its time is over. */
  get(code: string): Code<Chat> | undefined {
    this.#dropOutdated();
    return this.#codes.get(code);
  }

  /** The code that is a word of `text`, and whose chat is still wanted. */
  wantedIn(text: string): string | undefined {
    return text.split(/\W+/).find((word) => this.get(word)?.chat === null);
  }

  get isEmpty(): boolean {
    this.#dropOutdated();
    return this.#codes.size === 0;
  }

  #dropOutdated(): void {
    const nowMs = this.#options.nowMs();
    for (const [code, { untilMs }] of this.#codes) {
      if (nowMs <= untilMs) break;
      this.#codes.delete(code);
    }
  }
}
