/** Status pages in the file that `knell export` prints: a part of `export`. Without their notices, which are written for a day. */
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
    .map(({ slug, title, description, time_zone, logo, password_hash, services }) => ({
      slug,
      title,
      ...(description === '' ? {} : { description }),
      ...(time_zone === 'UTC' ? {} : { time_zone }),
      ...(logo === '' ? {} : { logo }),
      ...passwordPart(slug, password_hash, options),
      ...(services.length === 0 ? {} : { services: services.map((one) => servicePart(one, options)) }),
    }));
}

function passwordPart(slug: string, hash: string, { secrets, reference }: StatusPageExport): object {
  if (hash === '') return {};
  return secrets ? { password_hash: hash } : { password: reference('status_page', slug, 'password') };
}

function servicePart({ name, tag, checks }: ConfiguredService, { nameOfCheck }: StatusPageExport): object {
  return tag === '' ? { name, checks: checks.map(nameOfCheck).sort() } : { name, tag };
}
