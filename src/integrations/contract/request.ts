/**
 * Kinds that are one HTTP call (or some in a row), as data: request templates, and how to read the answers. `{name}` is a fact of
 * the notice, `{name|filter}` the same escaped, `{value.x}` a part of the integration's value, `{set.x}` a setting of this Knell; a
 * text that is one placeholder and nothing else becomes the value itself, number or list (`notify/words/template`).
 */

export type Template =
  | string
  | number
  | boolean
  | readonly Template[]
  | ByNotificationKind
  | OptionalItem
  | { readonly [key: string]: Template };

/** Different texts for down and up; `late` as `down` unless given. */
export interface ByNotificationKind {
  readonly down: Template;
  readonly up: Template;
  readonly late?: Template;
}

/** Of a list: left out where the placeholder has no value. */
export interface OptionalItem {
  readonly ifSaid: string;
  readonly item: Template;
}

type Text = string | ByNotificationKind;

export interface RequestTemplate {
  /** POST unless it says otherwise. */
  readonly method?: string;
  readonly url: Text;
  readonly headers?: Readonly<Record<string, Text>>;
  /** User and password. */
  readonly basic?: readonly [Text, Text];
  readonly json?: Template;
  readonly form?: { readonly [name: string]: Template };
  /** Sent only for this kind of notification, and if the value says yes. */
  readonly when?: { readonly field: string; readonly notificationKind: 'down' | 'up' | 'late' };
  /** The server is named by a setting of this Knell, not by the integration: it may stand in a private network. */
  readonly trusted?: boolean;
}

export interface HttpKind {
  readonly requests: readonly RequestTemplate[];
  readonly response?: ResponseRules;
  /** Of the message's text; the usual one unless it says otherwise. */
  readonly limit?: TextLimit;
}

/** What a target takes of the text that Knell writes, markup included. */
export interface TextLimit {
  readonly max: number;
  readonly unit: 'characters' | 'bytes';
  /** Of a ping's body, even if more would fit. */
  readonly bodyCharsMax: number;
}

/** How a kind's responses differ from the usual. */
export interface ResponseRules {
  /** These too are final for the notification: the vendor says so in its documentation. */
  readonly refused?: readonly number[];
  /** Proofs that the integration will never work again, from the vendor's documentation. */
  readonly gone?: readonly Proof[];
  /** Where a JSON response of success says that it is one, for vendors who answer 200 to what they refuse. */
  readonly accepted?: { readonly path: string; readonly value: string | number };
  /** Where a JSON response names the pause. */
  readonly retryAfter?: { readonly path: string; readonly unitMs: number };
}

/** A response of this status, and with this text or this field of its JSON, if one is named. */
export interface Proof {
  readonly status: number;
  readonly text?: RegExp;
  readonly field?: {
    readonly path: string;
    readonly values?: readonly (string | number)[];
    readonly text?: RegExp;
  };
}
