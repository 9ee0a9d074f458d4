/**
 * The statuses of a check (specification, "States and transitions"). Which follows which: `check-machine`.
 */
export const statuses = ['new', 'up', 'grace', 'down', 'paused'] as const;
export type Status = (typeof statuses)[number];
