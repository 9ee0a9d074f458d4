/**
 * One call of an admin command: what it can ask, and how its arguments are read.
 * Invariant: an argument of another type, or one that names nothing, is a KnellError that says so.
 */
import type { Channel, Project } from '../domain/project.ts';
import type { Engine, Progress } from '../engine/engine.ts';
import { KnellError } from '../lib/errors.ts';
import type { Tokens } from './web/tokens.ts';

export interface AdminRequest {
  readonly command: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What can be asked of the outbox; results are plain JSON. */
export interface AdminDesk {
  list(): readonly unknown[];
  /** An id or `all`. How many there were. */
  retry(id: string): number;
  drop(id: string): number;
  test(channel: Channel): Promise<readonly { readonly ok: boolean }[]>;
}

/** What the commands act on. */
export interface AdminRoom {
  readonly engine: Engine;
  readonly desk: AdminDesk;
  /** Makes the links that set passwords. */
  readonly tokens: Tokens;
  readonly baseUrl: string;
  /** Where a snapshot goes that names no file: into the data directory. */
  newSnapshotFile(): string;
}

export interface Call extends AdminRoom {
  readonly args: AdminRequest['args'];
  readonly nowMs: number;
  readonly progress: Progress;
}

export type Command = (call: Call) => Promise<unknown>;

/** The project that `args.project` names, by name or by id. */
export function projectOf(engine: Engine, args: AdminRequest['args']): Project {
  const wanted = word(args, 'project');
  const project = engine.read.projects().find(({ id, name }) => id === wanted || name === wanted);
  if (!project) throw new KnellError('not-found', `no project is named ${wanted}: see knell project list`);
  return project;
}

/** The integration that `args.channel` names, by id, or by a name that no other has. */
export function channelOf(engine: Engine, args: AdminRequest['args']): Channel {
  const wanted = word(args, 'channel');
  const all = engine.read.projects().flatMap(({ id }) => engine.read.channels(id));
  const [found, ...others] = all.filter(({ id, name }) => id === wanted || name === wanted);
  if (!found) {
    const message = `no integration is named ${JSON.stringify(wanted)}: see knell channel list PROJECT`;
    throw new KnellError('not-found', message);
  }
  if (others.length > 0)
    throw new KnellError('conflict', `several integrations are named ${JSON.stringify(wanted)}: give an id`);
  return found;
}

export function word(args: AdminRequest['args'], name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw new KnellError('usage', `${name} is missing`);
  return value;
}

export function optionalWord(args: AdminRequest['args'], name: string): string | undefined {
  return args[name] === undefined ? undefined : word(args, name);
}

export function oneOf<T extends string>(allowed: readonly T[], value: string, flag: string): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new KnellError('usage', `${flag} must be one of ${allowed.join(', ')}`);
  return found;
}
