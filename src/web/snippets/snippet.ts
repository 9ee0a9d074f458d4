/** The types and texts that snippets have in common. Pure. */

export interface SnippetOptions {
  /** The check's ping URL, by UUID or by slug. */
  readonly url: string;
  /** Address of this Knell, before `/ping`. */
  readonly baseUrl: string;
  /** The same check, as programs name it. */
  readonly target:
    | { readonly by: 'uuid'; readonly uuid: string }
    | { readonly by: 'slug'; readonly pingKey: string; readonly slug: string };
  /** Its mail address; null if no mail is taken. */
  readonly mail: string | null;
  /** The schedule of the job, as the check expects it, or a plain example if cron cannot say that. */
  readonly cron: string;
  /** Whether that is what the check expects, and not only about as frequent. */
  readonly isCronExact: boolean;
  readonly tz: string;
}

export interface Snippet {
  readonly name: string;
  /** Returns the text; null if the snippet does not work here. */
  readonly textOf: (options: SnippetOptions) => string | null;
}

/** Path of the reader's own program in the snippets. */
export const jobPath = '/usr/local/bin/job';

/** A line of a crontab. Where cron cannot say when, it says so, and names no time that somebody would take for that of the job. */
export function crontabLine({ cron, isCronExact }: SnippetOptions, command: string): string {
  if (isCronExact) return `${cron}  ${command}`;
  return `# Cron cannot say this schedule: write your job's times first.\n${command}`;
}

/** The call of curl, which tries again for some seconds and says nothing but errors. */
export const curl = 'curl -fsS -m 10 --retry 5 -o /dev/null';
