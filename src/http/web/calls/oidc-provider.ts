/**
 * Talks to the OpenID Connect provider: where a browser is sent to sign in, and what the provider says of the user who returns.
 * It is the only file that uses `openid-client`, which is loaded only if a provider is set. `account/oidc` decides which member
 * that user is.
 * Invariants: only the sign-in that needs the provider waits for it. A code is exchanged with PKCE, state and nonce.
 */
import type { Configuration } from 'openid-client';
import { messageOf } from '../../../lib/errors.ts';
import type { Logger } from '../../../lib/logger.ts';
import type { OidcRole } from '../../../lib/read-setting.ts';
import { oidcAnswerSecondsMax } from '../../limits.ts';

export interface Oidc {
  readonly provider: OidcProvider;
  /** Label of the button. */
  readonly name: string;
  /** Role of users who sign in for the first time. */
  readonly role: OidcRole;
  readonly logger: Logger;
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Values that the browser keeps between the two steps. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Claims of the provider about a user. */
export interface OidcClaims {
  readonly subject: string;
  readonly email: string;
  readonly isVerified: boolean;
}

export const oidcFailures = [
  'unreachable',
  'state',
  'code',
  'answer',
  'denied',
  'unverified',
  'unknown',
  'other',
  'busy',
] as const;
export type OidcFailure = (typeof oidcFailures)[number];

/** `message` is for the log. */
export class OidcError extends Error {
  readonly failure: OidcFailure;

  constructor(failure: OidcFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

export class OidcProvider {
  readonly issuer: string;
  readonly #settings: OidcSettings;
  readonly #logger: Logger;
  readonly #stopped = new AbortController();
  #found: Promise<Configuration> | null = null;

  constructor(settings: OidcSettings, logger: Logger) {
    this.issuer = settings.issuer;
    this.#settings = settings;
    this.#logger = logger;
  }

  /** Checks whether the provider can be reached, and logs it if not. Nobody waits for it. */
  look(): void {
    this.#configuration().catch((error: unknown) => {
      if (this.#stopped.signal.aborted) return;
      this.#logger.warn(
        { issuer: this.issuer, error: messageOf(error) },
        'the OpenID Connect provider cannot be reached: nobody can sign in by it until it can',
      );
    });
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Returns the address to which the browser goes. Rejects with an OidcError. */
  async begin(redirectUri: string): Promise<{ readonly url: string; readonly flow: OidcFlow }> {
    const configuration = await this.#configuration();
    const client = await import('openid-client');
    const flow = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, flow };
  }

  /** `address` is the one under which the browser came back. Rejects with an OidcError. */
  async finish(address: URL, { state, nonce, verifier }: OidcFlow): Promise<OidcClaims> {
    const configuration = await this.#configuration();
    const client = await import('openid-client');
    try {
      const answer = await client.authorizationCodeGrant(configuration, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = answer.claims();
      if (!claims) throw new OidcError('answer', 'there is no ID token in the answer');
      const hasMore = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint;
      const all = hasMore
        ? await client.fetchUserInfo(configuration, answer.access_token, claims.sub)
        : claims;
      const email = typeof all.email === 'string' ? all.email.trim() : '';
      return { subject: claims.sub, email, isVerified: all.email_verified === true };
    } catch (error) {
      throw error instanceof OidcError ? error : failureOf(error, client);
    }
  }

  async #configuration(): Promise<Configuration> {
    this.#found ??= this.#discover();
    try {
      return await this.#found;
    } catch (error) {
      this.#found = null;
      throw new OidcError('unreachable', messageOf(error));
    }
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.#settings;
    const how = clientSecret === '' ? client.None() : client.ClientSecretBasic(clientSecret);
    return client.discovery(new URL(issuer), clientId, undefined, how, {
      timeout: oidcAnswerSecondsMax,
      // Such an issuer can only be on this machine; see `readIssuer`.
      execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
      [client.customFetch]: (url, { signal, body, ...init }) =>
        fetch(url, {
          ...init,
          // The types of `fetch` and of the library differ, but mean the same.
          ...(body == null ? {} : { body: body as NonNullable<RequestInit['body']> }),
          signal: AbortSignal.any([this.#stopped.signal, ...(signal ? [signal] : [])]),
        }),
    });
  }
}

type Client = typeof import('openid-client');

function failureOf(error: unknown, client: Client): OidcError {
  if (error instanceof client.AuthorizationResponseError)
    return new OidcError('denied', `the provider answered ${error.error}`);
  if (error instanceof client.ResponseBodyError) {
    const failure = error.error === 'invalid_grant' ? 'code' : 'answer';
    return new OidcError(failure, `the provider answered ${error.error}`);
  }
  const isOfNetwork =
    error instanceof TypeError || (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT');
  return new OidcError(isOfNetwork ? 'unreachable' : 'answer', causeOf(error));
}

/** Returns the message with its cause: for the library's own errors, the claim. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return messageOf(error) + cause;
}
