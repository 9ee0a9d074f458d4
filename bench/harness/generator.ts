/** What a load generator is given and what it measures: the contract of `load-wrk`, `load-oha` and the suite's own. */

export interface Load {
  readonly url: string;
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly body?: string;
  /** Requests a second, offered whatever comes back. Absent: as many as the connections take. */
  readonly rate?: number;
}

/** As a generator gets it: the paths one a line in a file, since there may be a million. */
export interface FiledLoad extends Omit<Load, 'paths'> {
  readonly pathsFile: string;
  readonly pathCount: number;
  /** A directory for what the generator needs, removed afterwards. */
  readonly dir: string;
}

export interface Loaded {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  /** NaN if the generator does not measure it. */
  readonly p999Ms: number;
  /** Of one core, that the generator itself used; NaN where it is not known. */
  readonly cpu: number;
  readonly requests: number;
  readonly errors: number;
}
