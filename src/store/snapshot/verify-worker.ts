/**
 * Entry point of the thread that reads one snapshot back and ends. Invariant: it opens nothing but that file.
 */
import { workerData } from 'node:worker_threads';
import { lowerPriority } from '../disk/lower-priority.ts';
import type { SnapshotVerifyData } from '../threads.ts';
import { answerOnce } from './answer.ts';
import { verifySnapshot } from './verify.ts';

const niceness = 19;

const { file, cancelled }: SnapshotVerifyData = workerData;

lowerPriority(niceness);
await answerOnce(cancelled, (progress) => verifySnapshot(file, progress));
