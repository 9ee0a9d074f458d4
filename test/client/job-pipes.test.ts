/** A wrapped job is the job where a pipe of it breaks: its reader leaves, or was never there. */
import { pipes } from './job-table.ts';
import { areAlike } from './run-jobs.ts';

areAlike(pipes);
