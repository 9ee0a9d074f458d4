/** What there is, and how a plan compares with it. Plain facts. */
import type { ConfiguredCheck, ConfiguredProject, ConfiguredUser } from '../domain/configuration.ts';

export interface ActualProject extends ConfiguredProject {
  readonly checks: readonly ConfiguredCheck[];
}

export interface Actual {
  readonly projects: readonly ActualProject[];
  readonly users: readonly ConfiguredUser[];
}

export interface PlanOptions {
  readonly prune: boolean;
  /** Of a secret, to be compared with those of the installation. */
  readonly fingerprint: (text: string) => string;
}
