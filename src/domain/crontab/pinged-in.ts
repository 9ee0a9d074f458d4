/**
 * Which checks a command pings already, by what is written in it: a UUID, or a ping key with a slug. Whose they are is for the caller.
 * Invariant: pure, and linear in the command.
 */

export interface PingedIn {
  /** In lower case. */
  readonly ids: readonly string[];
  readonly slugs: readonly { readonly pingKey: string; readonly slug: string }[];
}

/** Anywhere: a mail to a check and `knell ping` have no address with a path. */
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Whatever the host: a machine may reach Knell by another name. */
const bySlug = /\/ping\/([\w-]{1,64})\/([\w-]{1,100})/g;

export function pingedIn(command: string): PingedIn {
  return {
    ids: [...command.matchAll(uuid)].map(([id]) => id.toLowerCase()),
    slugs: [...command.matchAll(bySlug)].map(([, pingKey = '', slug = '']) => ({ pingKey, slug })),
  };
}
