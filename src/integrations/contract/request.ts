/**
 * Kinds that are one HTTP call (or some in a row), as data: request templates, and rules for the answers. `{name}` is a fact of
 * the notice, `{name|filter}` the same escaped, `{value.x}` a part of the integration's value, `{set.x}` a setting of this Knell;
 * a text that is only one placeholder becomes the value itself, which may be a number or a list (`notify/words/template`).
 */

export type Template =
  | string
  | number
  | boolean
  | readonly Template[]
  | ByNotificationKind
  | OptionalItem
  | { readonly [key: string]: Template };

/** Different texts for down and up. `late` is the same as `down` unless it is given, and `warning` the same as `late`. */
export interface ByNotificationKind {
  readonly down: Template;
  readonly up: Template;
  readonly late?: Template;
  readonly warning?: Template;
}

/** An item of a list that is left out if its placeholder has no value. */
export interface OptionalItem {
  readonly ifSaid: string;
  readonly item: Template;
}

type Text = string | ByNotificationKind;

export interface RequestTemplate {
  /** HTTP method; POST if absent. */
  readonly method?: string;
  readonly url: Text;
  readonly headers?: Readonly<Record<string, Text>>;
  /** User and password for basic authentication. */
  readonly basic?: readonly [Text, Text];
  readonly json?: Template;
  readonly form?: { readonly [name: string]: Template };
  /**
   * Buttons of the message. An alert is never lost for them: if the vendor answers 400, as to an address that it does not take, the
   * request is sent again at once without them.
   */
  readonly buttons?: ButtonTemplate;
  /** If given, the request is sent only for this kind of notification, and only if this field of the value is true. */
  readonly when?: { readonly field: string; readonly notificationKind: 'down' | 'up' | 'late' };
  /** Whether a setting of this Knell names the server, not the integration: then it may be in a private network. */
  readonly trusted?: boolean;
}

export interface ButtonTemplate {
  /** A field of the JSON, and its value. It is left out where a placeholder has no value, as of a recovery. */
  readonly field: string;
  readonly value: Template;
  /** Parameters of the address that buttons need. */
  readonly query?: Readonly<Record<string, string>>;
}

/** How a message is updated, where the vendor has that. Only messages about incidents are. */
export interface MessageUpdate {
  /** Dotted path of the message's id in the JSON of the response to a new one. */
  readonly id: string;
  /** Parameters of a new message's address without which the response has no id. */
  readonly query?: Readonly<Record<string, string>>;
  /** The request, where it differs from that of a new message. `{messageId}`, or `{messageNumber}`, names the message. */
  readonly request: Partial<RequestTemplate>;
  /** A response that means that the message says so already. */
  readonly unchanged?: Proof;
}

export interface HttpKind {
  readonly requests: readonly RequestTemplate[];
  /** If absent, each message is a new one. */
  readonly update?: MessageUpdate;
  readonly response?: ResponseRules;
  /** Limit of the message's text; the usual one if absent. */
  readonly limit?: TextLimit;
}

/** The longest text that a target takes, markup included. */
export interface TextLimit {
  readonly max: number;
  readonly unit: 'characters' | 'bytes';
  /** Characters of a ping's body, even if more would fit. */
  readonly bodyCharsMax: number;
}

/** Rules for responses of a kind, where they differ from the usual ones. */
export interface ResponseRules {
  /** More statuses, and responses, that are final for a notification, from the vendor's documentation. */
  readonly refused?: readonly (number | Proof)[];
  /** Proofs that the integration will never work again, from the vendor's documentation. */
  readonly gone?: readonly Proof[];
  /** The field of a JSON response that means success, for vendors who also answer 200 to requests that they refuse. */
  readonly accepted?: { readonly path: string; readonly value: string | number | boolean };
  /** The field of a JSON response that has one word for what is wrong, which the error then says besides the status. */
  readonly error?: string;
  /** The field of a JSON response that has the pause before the next try. */
  readonly retryAfter?: { readonly path: string; readonly unitMs: number };
}

/** A response with this status, and with this text or this field of its JSON if one is given. */
export interface Proof {
  readonly status: number;
  readonly text?: RegExp;
  readonly field?: {
    readonly path: string;
    readonly values?: readonly (string | number)[];
    readonly text?: RegExp;
  };
}
