/**
 * Builds the addresses of a project's badges, with a signature that prevents tags from being tried out. The badge of one check
 * has an address that cannot be guessed anyway (`api/check-json`).
 * Invariant: only this file makes signatures; they depend on the project, the tag and the installation.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { BadgeUrls } from '../../domain/views/api-answers.ts';

/** The tag that means every check of the project. */
export const everyTag = '*';

/** Marks the signature in addresses of badges with two states; it is not part of the signature. */
export const twoStatesMark = '-2';

const signatureLength = 8;

interface BadgeSigner {
  /** Signs badges of this installation. */
  readonly badgeSecret: string;
  readonly badgeKey: string;
  /** SECRET_KEY of the Healthchecks that the data came from: the badges in READMEs and wikis have its signatures. */
  readonly importedSecret?: string | undefined;
}

/** A badge key contains no line break, so no two pairs have the same signature. */
function signature({ badgeSecret, badgeKey }: BadgeSigner, tag: string): string {
  const code = createHmac('sha256', badgeSecret).update(`${badgeKey}\n${tag}`).digest('base64url');
  return code.slice(0, signatureLength);
}

/** Compares in constant time. `claimed` is the signature without the mark. */
export function isSigned(signer: BadgeSigner, tag: string, claimed: string): boolean {
  const { importedSecret } = signer;
  const isOurs = isSame(signature(signer, tag), claimed);
  return (
    isOurs ||
    (importedSecret !== undefined && isSame(importedSignature(importedSecret, signer, tag), claimed))
  );
}

function isSame(right: string, claimed: string): boolean {
  const [a, b] = [Buffer.from(right), Buffer.from(claimed)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Django's salted HMAC: SHA-1 under the hash of salt and secret. */
function importedSignature(secret: string, { badgeKey }: BadgeSigner, tag: string): string {
  const key = createHash('sha1')
    .update(badgeKey + secret)
    .digest();
  return createHmac('sha1', key).update(tag).digest('base64url').slice(0, signatureLength);
}

/** Returns the addresses of a tag's badge (specification, "Badge set"). `baseUrl` has no slash at its end. */
export function badgeUrls(baseUrl: string, signer: BadgeSigner, tag: string): BadgeUrls {
  const signed = `${baseUrl}/badge/${signer.badgeKey}/${signature(signer, tag)}`;
  const path = tag === everyTag ? '' : `/${encodeURIComponent(tag)}`;
  const address = (mark: string, format: string): string => `${signed}${mark}${path}.${format}`;
  return {
    svg: address(twoStatesMark, 'svg'),
    svg3: address('', 'svg'),
    json: address(twoStatesMark, 'json'),
    json3: address('', 'json'),
    shields: address(twoStatesMark, 'shields'),
    shields3: address('', 'shields'),
  };
}
