/**
 * The statechart of an incident: which stage follows which. One that is resolved opens again where its check goes down again soon.
 * Invariant: total; what does not apply changes nothing.
 */
import { getNextSnapshot, setup } from 'xstate';
import { assert } from '../../lib/errors.ts';

export const incidentStages = ['open', 'acknowledged', 'resolved'] as const;
export type IncidentStage = (typeof incidentStages)[number];

/** `join`: a check went down. `recover`: the last of its checks came up, or is gone. */
export type IncidentEvent = 'join' | 'recover' | 'acknowledge' | 'unacknowledge';

export const incidentMachine = setup({
  types: { events: {} as { readonly type: IncidentEvent } },
}).createMachine({
  initial: 'open',
  states: {
    open: { on: { acknowledge: 'acknowledged', recover: 'resolved' } },
    acknowledged: { on: { unacknowledge: 'open', recover: 'resolved' } },
    resolved: { on: { join: 'open' } },
  },
});

export function stageAfter(stage: IncidentStage, type: IncidentEvent): IncidentStage {
  const snapshot = incidentMachine.resolveState({ value: stage });
  const { value } = getNextSnapshot(incidentMachine, snapshot, { type });
  const after = incidentStages.find((name) => name === value);
  assert(after !== undefined, 'an incident has a stage after every event');
  return after;
}
