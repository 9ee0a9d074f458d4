/** What snippets have in common. Pure. */

export interface SnippetOptions {
  /** The check's ping URL, by UUID or by slug. */
  readonly url: string;
  /** Of this Knell, before `/ping`. */
  readonly baseUrl: string;
  /** The same check as programs name it. */
  readonly target:
    | { readonly by: 'uuid'; readonly uuid: string }
    | { readonly by: 'slug'; readonly pingKey: string; readonly slug: string };
  /** Its mail address; null where no mail is taken. */
  readonly mail: string | null;
  /** When the job runs, as the check expects it; a plain example where cron cannot say that. */
  readonly cron: string;
  readonly tz: string;
}

export interface Snippet {
  readonly name: string;
  /** Null for what does not work here. */
  readonly textOf: (options: SnippetOptions) => string | null;
}

/** Where the snippets have the reader's own program. */
export const jobPath = '/usr/local/bin/job';

/** Tries again for some seconds, and says nothing but errors. */
export const curl = 'curl -fsS -m 10 --retry 5 -o /dev/null';
