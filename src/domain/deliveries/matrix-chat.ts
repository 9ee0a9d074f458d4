/** The search for the Matrix room that an integration sends to: what the page and the server exchange. Invariant: plain values. */

/** The bot, and the code that names the form: sent as the reason of the invitation, or as a message in the room. */
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
