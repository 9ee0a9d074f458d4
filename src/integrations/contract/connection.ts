/**
 * How an integration is added on the vendor's own page instead of by pasting an address: by OAuth 2.0
 * (https://www.rfc-editor.org/rfc/rfc6749#section-4.1), with the app that the owner of this server has there.
 * Invariant: pure; of the vendor's answer only what sending needs is kept.
 */
import type { ClientSetting } from './settings.ts';

export interface Connection {
  /** Settings of the server without which it is not offered. */
  readonly client: { readonly id: ClientSetting; readonly secret: ClientSetting };
  /** The vendor's page, and the scopes that it requests. */
  readonly authorizeUrl: string;
  readonly scope: string;
  /** Where the code that the browser brings back is exchanged. */
  readonly tokenUrl: string;
  /** The integration that the vendor's answer describes; null for an answer that lacks what sending needs. */
  readonly read: (answer: string) => Connected | null;
}

export interface Connected {
  /** The value of the integration. */
  readonly value: string;
  /** The vendor's name for the channel or webhook; empty if there is none. */
  readonly name: string;
}
