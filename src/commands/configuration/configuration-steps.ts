/**
 * `config apply`: changes of the configuration, each compared with what there is before it is written. Not here: which
 * changes lead from one configuration to another (`apply/plan`).
 * Invariants: between comparing and changing there is no await; the steps of a request are decided in one turn, so that they
 * share a commit; a step that is refused changes nothing, and the others stay done.
 */

import { settingsByName } from '../../domain/accounts/channel-settings.ts';
import { type Channel, keyScopes, type Project, plans } from '../../domain/accounts/project.ts';
import { type Check, type CheckConfig, defaultConfig } from '../../domain/check/check.ts';
import type {
  ConfigurationStep,
  StepName,
  StepOutcome,
} from '../../domain/configuration/configuration-step.ts';
import { stepsMax } from '../../domain/limits.ts';
import type { KeyToCreate, NewKey } from '../../engine/contract/engine.ts';
import { KnellError, messageOf } from '../../lib/errors.ts';
import {
  asChannelId,
  asCheckId,
  asKeyId,
  type ChannelId,
  type CheckId,
  type KeyId,
  sha256Hex,
} from '../../lib/ids.ts';
import { configAfter } from '../../spec/apply-spec.ts';
import { parseSpec } from '../../spec/check-spec.ts';
import { type Kind, required } from '../contract/argument.ts';
import { channelEditIn, mustBeAllowed, newChannelIn } from '../contract/channel-input.ts';
import { type Args, type CommandRequest, choiceIn, textIn } from '../contract/command.ts';
import { asIs, command } from '../contract/declaration.ts';
import { loggedCharsMax } from '../secrets/limits.ts';
import { channelEtag, checkEtag } from './configuration.ts';
import { createMaintenance, deleteMaintenance, editMaintenance } from './configuration-maintenance.ts';
import { createStatusPage, deleteStatusPage, editStatusPage } from './configuration-status-pages.ts';
import { changeRole, createUser, deleteUser } from './configuration-users.ts';
import { changed, projectIn } from './outdated-plan.ts';

/** The steps; `ConfigurationStep` describes each. */
const steps: Kind<readonly ConfigurationStep[], readonly Args[]> = {
  is: `a list of at most ${stepsMax} steps`,
  typed: () => [],
  read({ args }, name) {
    const value = args[name];
    if (!Array.isArray(value) || value.length > stepsMax || !value.every(isArgs))
      throw new KnellError('usage', `${name} must be a list of at most ${stepsMax} objects`);
    return value;
  },
  logged: (value) => (Array.isArray(value) ? value.map(stepText).join(', ') : null),
};

/** `create-check backup`: enough to find out later what was changed. */
function stepText(step: unknown): string {
  if (!isArgs(step)) return '?';
  const { do: what, name, fields } = step;
  const slug = isArgs(fields) ? fields.slug : '';
  return `${String(what)} ${String(name ?? slug)}`.slice(0, loggedCharsMax).trim();
}

export const applyCommands = {
  'config apply': command({
    effect: 'changes',
    role: 'owner',
    line: null,
    help: 'change the configuration step by step; the outcome has one entry for each',
    takes: { steps: required(steps, null) },
    run: ({ steps }, request) =>
      Promise.all(steps.map((step) => outcomeOf(step, { ...request, args: step }))),
    shown: asIs,
  }),
} as const;

function isArgs(value: unknown): value is Args {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function outcomeOf(step: Args, request: CommandRequest): Promise<StepOutcome> {
  try {
    const run = runners[choiceIn(step, 'do', Object.keys(runners) as StepName[])];
    return { ok: true, ...(await run(request)) };
  } catch (error) {
    if (!(error instanceof KnellError)) throw error;
    return { ok: false, code: error.code, error: messageOf(error) };
  }
}

type Runner = (request: CommandRequest) => Promise<Omit<Extract<StepOutcome, { ok: true }>, 'ok'>>;

const runners: Readonly<Record<ConfigurationStep['do'], Runner>> = {
  'create-project': createProject,
  'change-plan': changePlan,
  'change-retention': changeRetention,
  'delete-project': deleteProject,
  'create-key': createKey,
  'replace-key': replaceKey,
  'delete-key': deleteKey,
  'create-integration': createIntegration,
  'edit-integration': editIntegration,
  'replace-integration': replaceIntegration,
  'delete-integration': deleteIntegration,
  'create-check': createCheck,
  'edit-check': editCheck,
  'delete-check': deleteCheck,
  'create-status-page': createStatusPage,
  'edit-status-page': editStatusPage,
  'delete-status-page': deleteStatusPage,
  'create-maintenance': createMaintenance,
  'edit-maintenance': editMaintenance,
  'delete-maintenance': deleteMaintenance,
  'create-user': createUser,
  'change-role': changeRole,
  'delete-user': deleteUser,
};

async function createProject({ args, context, nowMs }: CommandRequest): Promise<{ id: string }> {
  const plan = choiceIn(args, 'plan', plans);
  return context.engine.change.createProjectWithoutKeys(textIn(args, 'name'), plan, nowMs);
}

async function changePlan(request: CommandRequest): Promise<{ id: string }> {
  const project = projectIn(request);
  if (project.plan !== request.args.expect) throw changed(`project ${project.name}`);
  return request.context.engine.change.changePlan(project.id, choiceIn(request.args, 'plan', plans));
}

async function changeRetention({
  args,
  context,
  nowMs,
  ...request
}: CommandRequest): Promise<{ id: string }> {
  const project = projectIn({ args, context, nowMs, ...request });
  if ((project.retention ?? '') !== args.expect) throw changed(`project ${project.name}`);
  return context.engine.change.setRetention(project.id, textIn(args, 'retention'), nowMs);
}

async function deleteProject(request: CommandRequest): Promise<{ id: string }> {
  const { id, name } = projectIn(request);
  const { read, change } = request.context.engine;
  if (read.checkCount(id) !== request.args.checks) throw changed(`project ${name}`);
  await change.deleteProject(id, request.nowMs);
  return { id };
}

/** The form of a hash and of a ping key. */
const hashPattern = /^[0-9a-f]{64}$/;
const pingKeyPattern = /^[\w-]{8,64}$/;

async function createKey(request: CommandRequest): Promise<{ id: string; key?: string }> {
  const key = keyIn(request);
  if (hasOtherKey(request, key, null)) throw changed(`key ${key.name}`);
  return shownKey(key, await request.context.engine.change.createKey(key, request.nowMs));
}

async function replaceKey(request: CommandRequest): Promise<{ id: string; key?: string }> {
  const { args, context, nowMs } = request;
  const key = keyIn(request);
  const id = asKeyId(textIn(args, 'id'));
  const isThere = context.engine.read.keys(key.projectId).some((one) => one.id === id);
  if (!isThere || hasOtherKey(request, key, id)) throw changed(`key ${key.name}`);
  return shownKey(key, await context.engine.change.replaceKey(id, key, nowMs));
}

function keyIn(request: CommandRequest): KeyToCreate & { readonly name: string } {
  const { args } = request;
  const { id: projectId } = projectIn(request);
  const scope = choiceIn(args, 'scope', keyScopes);
  const name = textIn(args, 'name');
  const clear = typeof args.key === 'string' ? args.key : null;
  const hash = clear === null ? args.hash : sha256Hex(clear);
  if (typeof hash !== 'string') return { projectId, scope, name };
  if (!hashPattern.test(hash) || (scope === 'ping') !== (clear !== null && pingKeyPattern.test(clear)))
    throw new KnellError('usage', `key ${name}: ping keys have key, other keys have hash`);
  return { projectId, scope, name, existing: { hash, clear } };
}

/** `id`: of the key that may have the name. */
function hasOtherKey(
  { context }: CommandRequest,
  { projectId, name }: KeyToCreate,
  id: KeyId | null,
): boolean {
  return context.engine.read.keys(projectId).some((key) => key.name === name && key.id !== id);
}

/** A key that another installation had is not shown. */
function shownKey({ existing }: KeyToCreate, { key, clear }: NewKey): { id: string; key?: string } {
  return existing ? { id: key.id } : { id: key.id, key: clear };
}

async function deleteKey(request: CommandRequest): Promise<{ id: string }> {
  const id = asKeyId(textIn(request.args, 'id'));
  const { read, change } = request.context.engine;
  if (!read.keys(projectIn(request).id).some((key) => key.id === id)) throw changed('a key');
  await change.revokeKey(id);
  return { id };
}

async function createIntegration(request: CommandRequest): Promise<{ id: string }> {
  const { args, context, nowMs } = request;
  const project = projectIn(request);
  const id = typeof args.id === 'string' ? asChannelId(uuidIn(args, 'id')) : undefined;
  const channel = newChannelIn(withSettings(request));
  if (id === undefined && context.engine.read.channels(project.id).some(({ name }) => name === channel.name))
    throw changed(`integration ${channel.name}`);
  return context.engine.change.createChannel(project.id, { ...channel, ...(id ? { id } : {}) }, nowMs);
}

async function editIntegration(request: CommandRequest): Promise<{ id: string }> {
  const channel = channelIn(request);
  const edit = channelEditIn(withSettings(request), channel);
  return request.context.engine.change.editChannel(channel.id, edit);
}

async function replaceIntegration(request: CommandRequest): Promise<{ id: string }> {
  const { id, kind } = channelIn(request);
  mustBeAllowed(request, kind);
  const { context, nowMs } = request;
  return context.engine.change.replaceChannel(id, newChannelIn(withSettings(request)), nowMs);
}

async function deleteIntegration(request: CommandRequest): Promise<{ id: string }> {
  const { id, kind } = channelIn(request);
  mustBeAllowed(request, kind);
  await request.context.engine.change.deleteChannel(id, request.nowMs);
  return { id };
}

/** The arguments of `channel create` and `channel edit`. What is not disabled in the file may have been disabled by Knell. */
function withSettings(request: CommandRequest): CommandRequest {
  const { settings, value, ...args } = request.args;
  if (!isArgs(settings)) throw new KnellError('usage', 'settings is missing');
  const { disabled, ...given } = settingsByName(settings);
  return {
    ...request,
    args: {
      ...args,
      ...given,
      ...(value === null ? {} : { value }),
      ...(disabled === null || disabled === undefined ? {} : { disabled }),
    },
  };
}

async function createCheck(request: CommandRequest): Promise<{ id: string }> {
  const { args, context, nowMs } = request;
  const { read, change } = context.engine;
  const project = projectIn(request);
  const config = configIn(request, project, defaultConfig);
  const id = typeof args.id === 'string' ? asCheckId(uuidIn(args, 'id')) : undefined;
  const { slug } = config;
  if (
    id === undefined &&
    slug !== '' &&
    read.oldestCheck(project.id, { matches: (one) => one.slug === slug, mentions: [slug] }, nowMs)
  )
    throw changed(`check ${slug}`);
  return idOf(change.createCheck(project.id, config, nowMs, id));
}

async function editCheck(request: CommandRequest): Promise<{ id: string }> {
  const { context, nowMs } = request;
  const { change } = context.engine;
  const { id, config: before } = checkToChange(request);
  // Fields that a newer version stored stay; so does the one of timeout and schedule that has no effect.
  const { timeoutS, schedule } = before;
  const config = configIn(request, projectIn(request), { ...before, ...defaultConfig, timeoutS, schedule });
  return idOf(change.updateCheck(id, config, nowMs));
}

async function deleteCheck(request: CommandRequest): Promise<{ id: string }> {
  const { context, nowMs } = request;
  const { change } = context.engine;
  return idOf(change.deleteCheck(checkToChange(request).id, nowMs));
}

function checkToChange(request: CommandRequest): { readonly id: CheckId; readonly config: CheckConfig } {
  const { args, context, nowMs } = request;
  const check = context.engine.read.check(textIn(args, 'id'), nowMs);
  if (check?.projectId !== projectIn(request).id || checkEtag(check) !== args.expect)
    throw changed(`check ${check?.config.slug || check?.config.name || textIn(args, 'id')}`);
  return check;
}

/** If the check is no longer as the caller saw it, the error says what another has changed. */
async function idOf(change: Promise<Check>): Promise<{ readonly id: string }> {
  try {
    return { id: (await change).id };
  } catch (error) {
    throw error instanceof KnellError && error.code === 'not-found' ? changed('a check') : error;
  }
}

function configIn({ args, context }: CommandRequest, project: Project, before: CheckConfig): CheckConfig {
  const { fields, integrations } = args;
  const parsed = parseSpec(isArgs(fields) ? fields : {});
  if (!parsed.ok) throw new KnellError('usage', parsed.error);
  if (!Array.isArray(integrations)) throw new KnellError('usage', 'integrations must be a list of ids');
  const channels = context.engine.read.channels(project.id);
  const ids = integrations.map((id: unknown): ChannelId => {
    const channel = channels.find((one) => one.id === id);
    if (!channel) throw changed('an integration of a check');
    return channel.id;
  });
  return configAfter(before, parsed.spec, 3, [...new Set(ids)].sort());
}

function channelIn(request: CommandRequest): Channel {
  const id = asChannelId(textIn(request.args, 'id'));
  const channel = request.context.engine.read.channels(projectIn(request).id).find((one) => one.id === id);
  if (!channel || channelEtag(channel) !== request.args.expect)
    throw changed(`integration ${channel?.name ?? id}`);
  return channel;
}

function uuidIn(args: Args, name: string): string {
  const text = textIn(args, name);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text))
    throw new KnellError('usage', `${name} must be a UUID in lower case`);
  return text;
}
