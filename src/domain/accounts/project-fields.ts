/**
 * The one table of what an owner sets on a project: a field's kind, bounds and default, and the words that explain it. Read by
 * configuration files, the commands, the page and the audit log. `codec/rows` has how it is stored.
 * Invariant: a field's name here is its name in records, files and the API; a default never changes.
 */
import { nameCharsMax, retentionCharsMax } from '../limits.ts';
import { retentionError } from '../retention/retention-rules.ts';
import { plans } from './project.ts';

export const projectFields = {
  name: {
    kind: 'text',
    charsMax: nameCharsMax,
    /** On the page. */
    label: 'Name of this project',
    /** On the page and in the schema of configuration files. */
    help: 'Unique; shown in lists and alerts.',
    /** On the command line. */
    option: 'what it is called',
  },
  plan: {
    kind: 'choice',
    choices: plans,
    default: 'paid',
    label: 'Plan',
    help: 'paid for a new project if left out; an existing one keeps its plan.',
    option: 'free: 20 checks, 100 pings listed per check; paid: unlimited checks, 1000 pings',
  },
  retention: {
    kind: 'text',
    charsMax: retentionCharsMax,
    default: '',
    wrong: retentionError,
    label: 'Retention',
    help: "Which pings and outputs of the project's checks are kept, where a check has no rules of its own.",
    option: 'rules such as "pings 90 days", one per line; "" for none',
  },
} as const;

export type ProjectFieldName = keyof typeof projectFields;

export const projectFieldNames = Object.keys(projectFields) as readonly ProjectFieldName[];
