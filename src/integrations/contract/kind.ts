/**
 * What Knell knows of a kind of integration. A kind is one file: its form, its words, what its value must be, and its requests where
 * it is nothing but HTTP (`request`). Not here: how a request is sent and what the answer means (`notify/channels`).
 * Invariant: pure data and pure functions; the page has them too, but for the requests.
 */
import type { settingsNeeded } from './settings.ts';
import type { Rule, TextForm, ValueParts } from './values.ts';

type FieldInput = 'line' | 'lines' | 'number' | 'tick' | 'choice' | 'headers' | 'integrations';

/** A field of the form. It is `open` only where its content is no secret: what is not open never leaves the server. */
export interface FormField {
  /** Where the value is a JSON object, its key there. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly input: FieldInput;
  readonly required?: true;
  readonly open?: true;
  /** What it holds while nobody has said anything. A tick holds `yes` or nothing. */
  readonly first?: string;
  readonly choices?: readonly (readonly [value: string, text: string])[];
  /** What its text must look like. */
  readonly part?: TextForm;
  /** Fields of one name stand in one box. */
  readonly box?: string;
}

export interface Form {
  readonly title: string;
  /** Where what is asked for is to be had. */
  readonly help: string;
  readonly fields: readonly FormField[];
  /** Whether the value is its one field's text, or a JSON object; `pipes`: the fields, with | between. */
  readonly keeps: 'text' | 'json' | 'pipes';
}

export const categories = ['Chat', 'Email and SMS', 'Incidents', 'Push', 'Custom'] as const;
export type Category = (typeof categories)[number];

/** Drawings of what it is, not of who offers it. */
export type KindIcon =
  | 'badge'
  | 'bell'
  | 'bolt'
  | 'chat'
  | 'cloud'
  | 'grid'
  | 'hash'
  | 'hook'
  | 'list'
  | 'mail'
  | 'people'
  | 'phone'
  | 'pulse'
  | 'send'
  | 'terminal';

export interface Kind {
  readonly form: Form;
  readonly category: Category;
  /** What it does, in one line. */
  readonly line: string;
  readonly icon: KindIcon;
  /** Its place among those that most people look for, from 1 on. */
  readonly popular?: number;
  /** `people` read a text; `tickets` are kept open until somebody closes them; absent: a machine. */
  readonly audience?: 'people' | 'tickets';
  /** What it writes may be read by everybody: it gets no link that acts. */
  readonly isPublic?: true;
  /** Settings of this server without which nothing can be sent. */
  readonly needs?: readonly (keyof typeof settingsNeeded)[];
  readonly valueError: Rule;
  /** Absent: the fields of a JSON object, else `value`. */
  readonly parts?: (value: string) => ValueParts;
  /** Whether an integration of that value is notified of a check going down, or recovering. Absent: of both. */
  readonly accepts?: (value: string, direction: 'down' | 'up') => boolean;
}
