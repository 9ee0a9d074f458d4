/**
 * Under which subjects the nodes of a cluster talk to each other by the bus. Not those of the log.
 * Invariant: any two names have different subjects, whatever is in them.
 */
import type { Client } from './request-codec.ts';

export interface Subjects {
  /** Subject of requests from clients to the node of that name. */
  requests(node: string): string;
  /** Answers to one process of a node: those to an earlier one go nowhere. */
  answers(client: Client): string;
  readonly liveUpdates: string;
  readonly liveInterest: string;
  readonly status: string;
  /** Who wants a snapshot says so to the node of that name here, */
  snapshots(node: string): string;
  /** and gets it here, by the id of its process. */
  snapshotParts(id: number): string;
}

/** `cluster`: several may share one NATS. */
export function subjectsOf(cluster: string): Subjects {
  const base = `knell.${token(cluster)}`;
  return {
    requests: (node) => `${base}.requests.${token(node)}`,
    answers: ({ name, id }) => `${base}.answers.${token(name)}.${id}`,
    liveUpdates: `${base}.live.updates`,
    liveInterest: `${base}.live.interest`,
    status: `${base}.status`,
    snapshots: (node) => `${base}.snapshots.${token(node)}`,
    snapshotParts: (id) => `${base}.snapshot-parts.${id}`,
  };
}

/** Dots part a subject, and stars, angles and spaces mean something: every such byte becomes `=` and two digits. */
function token(name: string): string {
  const text = Buffer.from(name)
    .toString('latin1')
    .replace(/[^A-Za-z0-9_-]/g, (byte) => `=${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return text === '' ? '=' : text;
}
