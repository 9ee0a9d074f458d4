/** How a room of Matrix is found: what the page and the server say of it. Invariant: plain values. */

/** The code that is to be in the invitation, or to be sent in the room. */
export interface MatrixBot {
  readonly code: string;
  /** The bot's user id, such as `@knell:example.org`. */
  readonly bot: string;
}

export interface MatrixChat {
  /** Such as `!id:example.org`. */
  readonly id: string;
  /** Empty where it has none. */
  readonly name: string;
}

export type MatrixChatSearch =
  | { readonly state: 'waiting' | 'expired' }
  | { readonly state: 'found'; readonly chat: MatrixChat }
  | { readonly state: 'failed'; readonly error: string };
