/**
 * The tools that change something, offered with a read-write key only. None deletes, none pings.
 * Invariant: the answer is what the server says the changed thing is now.
 */
import { projectsNamed } from '../../client/find-check.ts';
import type { ApiCheck, ProjectRef } from '../../client/management.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import { KnellError } from '../../lib/errors.ts';
import { findCheck, projectIn } from '../checks/check-actions.ts';
import { toolSnoozeSecondsMax } from '../io/limits.ts';
import { incidentNamed } from './reading-tools.ts';
import { allCheckInput } from './spec-input.ts';
import { factsOf, shownCheck, type Tool, type ToolCall, textArg, texts, whole } from './tool.ts';

const createCheck: Tool = {
  name: 'create_check',
  title: 'Create a check',
  description:
    'Creates a check, and returns it with the address that its job has to ping. Without `channels` all integrations are ' +
    'notified. Preview the schedule first.',
  access: 'changes',
  required: ['name'],
  input: { ...allCheckInput(), project: texts.project },
  async run(call) {
    const { project: named, ...fields } = call.args;
    const project = await oneProject(call, typeof named === 'string' ? named : undefined);
    const check = await call.management.call(project, 'POST', 'checks/', { channels: '*', ...fields });
    return [factsOf(shownCheck(check as ApiCheck))];
  },
};

async function oneProject({ management, flags }: ToolCall, named: string | undefined): Promise<ProjectRef> {
  const [project, ...others] = await projectsNamed(management, named ?? projectIn(flags));
  if (project && others.length === 0) return project;
  const names = [project, ...others].map((one) => one?.name).join(', ');
  throw new KnellError('usage', `name the project: one of ${names}`);
}

const updateCheck: Tool = {
  name: 'update_check',
  title: 'Change a check',
  description:
    'Changes settings of a check; what is left out stays as it is. `new_name` gives it another name.',
  access: 'changes',
  required: ['check'],
  input: {
    check: texts.check,
    ...Object.fromEntries(Object.entries(allCheckInput()).filter(([name]) => name !== 'name')),
    new_name: { type: 'string', maxLength: nameCharsMax, description: 'Its new name.' },
  },
  async run(call) {
    const { check: named, new_name, ...fields } = call.args;
    const json = { ...fields, ...(new_name === undefined ? {} : { name: new_name }) };
    if (Object.keys(json).length === 0) throw new KnellError('usage', 'name what to change, such as grace');
    return [await posted(call, String(named), '', json)];
  },
};

async function posted(
  { management, flags }: ToolCall,
  named: string,
  action: string,
  json: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { project, check } = await findCheck(management, named, flags);
  const answer = await management.call(project, 'POST', `checks/${check.uuid}${action}`, json);
  return factsOf(shownCheck(answer as ApiCheck));
}

function switchTool(action: 'pause' | 'resume', title: string, description: string): Tool {
  return {
    name: `${action}_check`,
    ...{ title, description },
    access: 'changes',
    required: ['check'],
    input: { check: texts.check },
    run: async (call) => [await posted(call, String(call.args.check), `/${action}`, {})],
  };
}

const pauseCheck = switchTool(
  'pause',
  'Pause a check',
  'Stops watching a check until it is resumed, or until its job pings again.',
);
const resumeCheck = switchTool('resume', 'Resume a check', 'Watches a paused check again.');

const snoozeCheck: Tool = {
  name: 'snooze_check',
  title: 'Snooze a check',
  description: 'Sends no notifications about a check for a time; it is still watched.',
  access: 'changes',
  required: ['check', 'seconds'],
  input: { check: texts.check, seconds: whole('For how long, in seconds.', 60, toolSnoozeSecondsMax) },
  run: async (call) => [await posted(call, String(call.args.check), '/snooze', { for: call.args.seconds })],
};

const acknowledgeIncident: Tool = {
  name: 'acknowledge_incident',
  title: 'Acknowledge an incident',
  description:
    'Says that somebody works on an incident: no more reminders about its checks. A note says who or what.',
  access: 'changes',
  required: ['incident'],
  input: {
    incident: texts.incident,
    note: { type: 'string', maxLength: 1000, description: 'A note for the others.' },
  },
  async run(call) {
    const { project, answer } = await incidentNamed(call);
    const note = textArg(call.args, 'note') ?? '';
    const path = `incidents/${answer.id}/acknowledge`;
    return [factsOf(await call.management.call(project, 'POST', path, note === '' ? {} : { note }))];
  },
};

export const changingTools: readonly Tool[] = [
  createCheck,
  updateCheck,
  pauseCheck,
  resumeCheck,
  snoozeCheck,
  acknowledgeIncident,
];
