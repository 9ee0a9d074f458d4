/** Status pages in the file that `knell export` prints: a part of `export`. Without their notices, which are written for a day. */
import {
  type GivenPageField,
  givenPageFields,
  statusPageFields,
  type ValuesByJson,
} from '../domain/accounts/status-page-fields.ts';
import type { ConfiguredService, ConfiguredStatusPage } from '../domain/configuration/configuration.ts';

interface StatusPageExport {
  readonly secrets: boolean;
  /** The slug of a check where it is the only one of its kind, else the id. */
  nameOfCheck(id: string): string;
  /** A reference to a secret; `parts` become the name of its variable. */
  reference(...parts: readonly string[]): string;
}

export function statusPageParts(
  pages: readonly ConfiguredStatusPage[],
  options: StatusPageExport,
): readonly Readonly<Record<string, unknown>>[] {
  return [...pages]
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
    .map(({ services, ...page }) => ({
      ...valueParts(page),
      ...passwordPart(page.slug, page.password_hash, options),
      ...(services.length === 0 ? {} : { services: services.map((one) => servicePart(one, options)) }),
    }));
}

function valueParts(page: ValuesByJson<GivenPageField>): object {
  const fields = givenPageFields.map((name) => statusPageFields[name]);
  return Object.fromEntries(
    fields
      .filter(({ json, default: whenAbsent }) => page[json] !== whenAbsent)
      .map(({ json }) => [json, page[json]]),
  );
}

function passwordPart(slug: string, hash: string, { secrets, reference }: StatusPageExport): object {
  if (hash === '') return {};
  return secrets ? { password_hash: hash } : { password: reference('status_page', slug, 'password') };
}

function servicePart({ name, tag, checks }: ConfiguredService, { nameOfCheck }: StatusPageExport): object {
  return tag === '' ? { name, checks: checks.map(nameOfCheck).sort() } : { name, tag };
}
