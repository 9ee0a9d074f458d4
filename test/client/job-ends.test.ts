/** A wrapped job is the job: it exits with the same status, or ends by the same signal, whatever it has left running. */
import { endings } from './job-table.ts';
import { areAlike } from './run-jobs.ts';

areAlike(endings);
