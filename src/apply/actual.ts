/** The installation as it is, and how a plan compares with it. Plain facts. */
import type {
  ConfiguredCheck,
  ConfiguredProject,
  ConfiguredStatusPage,
  ConfiguredUser,
} from '../domain/configuration/configuration.ts';

export interface ActualProject extends Omit<ConfiguredProject, 'statusPages'> {
  readonly checks: readonly ConfiguredCheck[];
  readonly statusPages: readonly ConfiguredStatusPage[];
}

export interface Actual {
  readonly projects: readonly ActualProject[];
  readonly users: readonly ConfiguredUser[];
}

/** Passwords of status pages. */
export interface PagePasswords {
  hash(password: string): string;
  verify(password: string, hash: string): boolean;
}

export interface PlanOptions {
  readonly prune: boolean;
  /** Fingerprint of a secret, to be compared with those of the installation. */
  readonly fingerprint: (text: string) => string;
  readonly passwords: PagePasswords;
}
