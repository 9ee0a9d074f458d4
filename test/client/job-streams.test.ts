/** A wrapped job is the job: it reads and prints the same, through the same kind of pipes. */
import { streams } from './job-table.ts';
import { areAlike } from './run-jobs.ts';

areAlike(streams);
