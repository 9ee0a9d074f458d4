/** How a chat of Telegram is found: what the page and the server say of it. Invariant: plain values. */

/** The code that is to be sent to the bot. */
export interface TelegramBot {
  readonly code: string;
  /** The bot's user name, without @. */
  readonly bot: string;
}

export interface TelegramChat {
  readonly id: number;
  /** Of a group with topics; null for none. */
  readonly topicId: number | null;
  /** The group's, or the person's; empty where it is not known. */
  readonly name: string;
}

export type TelegramChatSearch =
  | { readonly state: 'waiting' | 'expired' }
  | { readonly state: 'found'; readonly chat: TelegramChat }
  | { readonly state: 'failed'; readonly error: string };
