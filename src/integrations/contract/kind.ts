/**
 * A kind of integration. It is one file with its form, its words, the rule of its value, and its requests if it needs only HTTP
 * (`request`). `notify/channels` sends the requests and reads the answers.
 * Invariant: pure data and pure functions; the page has them too, except the requests.
 */
import type { settingsNeeded } from './settings.ts';
import type { Rule, TextForm, ValueParts } from './values.ts';

type FieldInput = 'line' | 'lines' | 'number' | 'tick' | 'choice' | 'headers' | 'integrations' | 'browser';

/**
 * A field of the form. It is `open` only if its content is no secret. Of other fields no content leaves the server, but that of one that is
 * `inForm`: people write it by hand, and may write a secret into it, so that the form of those who may change it has it, and nothing else.
 */
export interface FormField {
  /** Name of the field, which is its key if the value is a JSON object. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  /** Of a secret: how it is replaced, where there is one. */
  readonly replacing?: string;
  readonly input: FieldInput;
  readonly required?: true;
  readonly open?: true;
  readonly inForm?: true;
  /** Content of the field in a new form. A tick is `yes` or empty. */
  readonly first?: string;
  readonly choices?: readonly (readonly [value: string, text: string])[];
  /** Form that the text of the field must have. */
  readonly part?: TextForm;
  /** What a button beside the field writes into it. */
  readonly generates?: 'topic';
  /** Of a field with headers: name of the field with the body that they are sent with. */
  readonly headersOf?: string;
  /** Title of the box that the field is in. */
  readonly box?: string;
  /** One of the boxes has to have it. */
  readonly inSomeBox?: true;
}

export type Steps = readonly [first: string, second: string, third: string];

/** Nothing, what is in the first box, or fields of its own. */
export const secondBoxChoices = ['none', 'same', 'other'] as const;
export type SecondBoxChoice = (typeof secondBoxChoices)[number];

export interface Form {
  readonly title: string;
  /** Title where the kind is offered, if that is another one. */
  readonly offeredAs?: string;
  /** What the integration does, where its title does not say that. */
  readonly help?: string;
  /** Where its value is found, in the words that are on the vendor's own page. */
  readonly steps: Steps;
  /** A text to paste in one of the steps. */
  readonly pasted?: string;
  /** What on the page finds the contents of the fields. */
  readonly finder?: 'telegram-chat' | 'matrix-chat';
  /** The label of the button that has the vendor fill in the fields, where the owner has set that up. */
  readonly fill?: string;
  readonly fields: readonly FormField[];
  /** What is said above the boxes. */
  readonly boxesHelp?: string;
  /** The choice that is in the second of two boxes while an integration is new: its fields are there for `other` only. */
  readonly secondBox?: Readonly<Record<SecondBoxChoice, string>>;
  /** What is replaced in the texts of the fields, without its `$`, each with its meaning. */
  readonly placeholders?: readonly (readonly [name: string, meaning: string])[];
  /** Whether the value is the text of the one field or a JSON object; with `pipes`, it is the fields with | between them. */
  readonly keeps: 'text' | 'json' | 'pipes';
}

export const categories = ['Chat', 'Email and SMS', 'Incidents', 'Push', 'Custom'] as const;
export type Category = (typeof categories)[number];

/** Icons show what a kind does, each kind another one; they are no logos of vendors. */
export type KindIcon =
  | 'badge'
  | 'bars'
  | 'beacon'
  | 'bell'
  | 'bolt'
  | 'browser'
  | 'calendar'
  | 'call'
  | 'chat'
  | 'chat-dots'
  | 'chat-lines'
  | 'chat-round'
  | 'chat-up'
  | 'chats'
  | 'cloud'
  | 'columns'
  | 'fork'
  | 'forward'
  | 'grid'
  | 'hash'
  | 'hook'
  | 'list'
  | 'mail'
  | 'megaphone'
  | 'pager'
  | 'people'
  | 'phone'
  | 'phone-lines'
  | 'phone-waves'
  | 'pulse'
  | 'send'
  | 'spike'
  | 'terminal'
  | 'tray'
  | 'tree'
  | 'waves';

export interface Kind {
  readonly form: Form;
  readonly category: Category;
  /** Description in one line. */
  readonly line: string;
  readonly icon: KindIcon;
  /** Place among the kinds that most people look for, from 1 on. */
  readonly popular?: number;
  /** `people` read a text; `tickets` stay open until somebody closes them; if absent, a machine reads the notification. */
  readonly audience?: 'people' | 'tickets';
  /** Whether everybody may read the notifications: then they have no link that acts. */
  readonly isPublic?: true;
  /**
   * Its service keeps alerts in memory only: what it was notified of is sent again every `limits.notify.dispatch.refreshMs` while the
   * check is down, so that a restart of the service loses no alert.
   */
  readonly isRefreshed?: true;
  /** Settings of the server without which nothing can be sent. */
  readonly needs?: readonly (keyof typeof settingsNeeded)[];
  readonly valueError: Rule;
  /** Splits the value into parts. If absent, they are the fields of a JSON object, or `value` for another text. */
  readonly parts?: (value: string) => ValueParts;
  /** It is sent all events of its project instead of the alerts of checks, and is assigned to no check. */
  readonly getsEvents?: true;
  /** Whether an integration of that value is notified when a check goes down, or recovers. If absent, it is notified of both. */
  readonly accepts?: (value: string, direction: 'down' | 'up') => boolean;
}
