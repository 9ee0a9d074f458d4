/**
 * A job as it was found, before it has a slug: what `proposals` makes a check of.
 * Invariant: pure values.
 */
import { slugify } from '../check/slugify.ts';

export type JobSource = 'crontab' | 'script' | 'anacron' | 'timer' | 'kubernetes' | 'github' | 'gitlab';

/** `schedule`: cron or OnCalendar, valid in `tz`. `timeoutS`: seconds from one run to the next. */
export type JobTimes = { readonly schedule: string; readonly tz: string } | { readonly timeoutS: number };

/** The check that a job pings already. */
export type Pinged = { readonly slug: string } | { readonly id: string };

/** How wrapped jobs find Knell. */
export interface PingSettings {
  /** What is called: `knell`, or the path of it. */
  readonly program: string;
  /** Both null where the jobs find them elsewhere. */
  readonly url: string | null;
  readonly key: string | null;
}

/** Lines of a file that are put in the place of one, or behind it; or a whole new file. */
export type FileEdit =
  | { readonly file: string; readonly line: number; readonly replaced: string }
  | { readonly file: string; readonly line: number; readonly added: string }
  | { readonly file: string; readonly text: string };

export interface FoundJob {
  readonly source: JobSource;
  /** As its machine names it. */
  readonly file: string;
  /** From 1; 0 where the whole file is the job. */
  readonly line: number;
  readonly name: string;
  /** The slug that it has where no other job wants it. */
  readonly plainSlug: string;
  readonly times: JobTimes;
  /** Seconds by which its start may be put off: random delays, the accuracy of a timer. */
  readonly delayS: number;
  /** Who runs it; empty where that is not said. */
  readonly user: string;
  readonly command: string;
  /** Where cron mails its output; null where that is not said. */
  readonly mailto: string | null;
  readonly pinged: Pinged | null;
  /** Whether that is a drop-in of its service, which needs the variables in their file. */
  readonly hasDropIn?: boolean;
  /** What its times leave open, as a sentence: that missed runs are made up for. Empty for nothing. */
  readonly remark?: string;
  /** What makes it ping the check of that slug; a text is the reason why nothing here can. */
  readonly wrap: (slug: string, settings: PingSettings) => FileEdit | string;
}

/** A job, or what might be one, that gets no check. */
export interface LeftOut {
  readonly file: string;
  /** 0 for the whole file. */
  readonly line: number;
  readonly text: string;
  /** A sentence without its full stop. */
  readonly reason: string;
}

export interface Discovery {
  readonly jobs: readonly FoundJob[];
  readonly leftOut: readonly LeftOut[];
}

export function slugOfName(name: string): string {
  return slugify(name.replace(/[^\p{L}\p{N}_]+/gu, '-')) || 'job';
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const slug = /^[a-z0-9_-]+$/;

/** The check that a command pings: by `knell run`, `knell ping`, or a request for a ping address. Null for none. */
export function pingedBy(command: string): Pinged | null {
  const isKnell = /(?:^|[\s/'"])knell(?:-run(?:\.mjs)?)?\s/.test(command);
  const [, option] = (isKnell ? /\s--check[= ]["']?([\w-]+)/.exec(command) : null) ?? [];
  const [, word] = /(?:^|[\s/'"+-])knell\s+ping\s+([\w-]+)/.exec(command) ?? [];
  const [, path = ''] = /https?:\/\/[^\s'"]{1,200}\/ping\/([^\s'"?]+)/.exec(command) ?? [];
  const [first = '', second = ''] = path.split('/');
  const named = option ?? word ?? (uuid.test(first) ? first : second);
  if (uuid.test(named)) return { id: named.toLowerCase() };
  return slug.test(named) ? { slug: named } : null;
}
