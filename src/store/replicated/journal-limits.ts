/** Every bound of a node's part in a cluster, with its reason. Of the log itself: `limits`. */
import { second } from '../../lib/units.ts';
import type { ReplicatedJournalLimits } from './replicated-journal.ts';

export const replicatedJournalLimits: ReplicatedJournalLimits = {
  heartbeatMs: 0.5 * second,
  // Six heartbeats. An election of the log's leader takes 4 to 9 s, but then nobody can claim either.
  silenceMs: 3 * second,
  jitterMs: 0.3 * second,
  // A leader that lives sends what was not answered again within 0.2 s.
  patienceMs: 0.3 * second,
  askEveryMs: 150,
  lookEveryMs: 50,
  followAgainMs: second,
  // Less than the silence by more than a turn of the event loop and a message take.
  certainMs: 2.5 * second,
  // Time servers correct by less at once. After another step the leader writes something first, which costs a millisecond.
  jumpMsMax: 0.5 * second,
  answersWithinMs: 2 * second,
  // Another leader has claimed after 3.3 s, if any could.
  silentAfterMs: 4 * second,
  appendAgainMs: 100,
  handOverMs: 2 * second,
};
