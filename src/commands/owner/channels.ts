/**
 * Commands about integrations.
 * Invariant: only owners create, edit or delete integrations that run commands on the server, and only owners confirm an
 * address in place of the person who reads its mail.
 */

import { type Channel, type Project, settingsOf } from '../../domain/accounts/project.ts';
import type { TestResult } from '../../domain/deliveries/sent-notification.ts';
import type { ChannelEdit, NewChannel } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { channelEditIn, mustBeAllowed, newChannelIn } from '../contract/channel-input.ts';
import { asIs, type CommandContext, type CommandRequest, type OwnerCommand } from '../contract/command.ts';
import { mustBeSent, type VerificationError } from '../contract/verification.ts';
import { type AssignedChecks, assignedChecksIn } from './assigned-checks.ts';

export interface CreatedChannel {
  readonly channel: Channel;
  /** How many checks notify it from now on. */
  readonly checks: number;
  /** Why nothing will be sent to it, as this server is set up now. */
  readonly warning: string | null;
  /** Of an address that has to confirm: null when the mail was sent, else why not. Absent when none is needed. */
  readonly verification?: VerificationError;
}

export type EditedChannel = Omit<CreatedChannel, 'checks'>;

interface ChannelToCreate {
  readonly project: Project;
  readonly channel: NewChannel;
  readonly checks: AssignedChecks;
}

/** Assigned before anybody is asked to confirm: a mail server that hangs must not leave an integration without checks. */
export const createChannel: OwnerCommand<ChannelToCreate, CreatedChannel, ShownCreation> = {
  effect: 'changes',
  role: 'editor',
  input(request) {
    const channel = newChannelIn(request);
    const project = request.targets.project();
    return { channel, project, checks: assignedChecksIn(request, project) };
  },
  async run({ project, channel, checks }, { context, nowMs }) {
    const { change } = context.engine;
    const created = await change.createChannel(project.id, channel, nowMs);
    const assigned = checks === 'none' ? 0 : await change.assignChannel(created.id, checks, nowMs);
    const warning = await warningOf(created, context);
    return {
      channel: created,
      checks: assigned,
      warning,
      ...(await verificationOf(created, context, nowMs)),
    };
  },
  shown: createdChannel,
};

async function warningOf({ kind, value }: Channel, { outbox }: CommandContext): Promise<string | null> {
  const missing = outbox.missingFor(kind);
  if (missing.length === 0) return outbox.refusalOf(kind, value);
  return `${kind} needs ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not set on this server`;
}

async function verificationOf(
  channel: Channel,
  { verification }: CommandContext,
  nowMs: number,
): Promise<Pick<CreatedChannel, 'verification'>> {
  return settingsOf(channel).unverified ? { verification: await verification.request(channel, nowMs) } : {};
}

export const listChannels: OwnerCommand<Project, readonly Channel[], readonly ShownChannel[]> = {
  effect: 'reads',
  role: 'viewer',
  input: ({ targets }) => targets.project(),
  run: ({ id }, { context }) => context.engine.read.channels(id),
  shown: (channels) => channels.map(shownChannel),
};

export const editChannel: OwnerCommand<
  { readonly channel: Channel; readonly edit: ChannelEdit },
  EditedChannel,
  ShownChannel & Warning
> = {
  effect: 'changes',
  role: 'editor',
  input(request) {
    const channel = request.targets.channel();
    return { channel, edit: channelEditIn(request, channel) };
  },
  async run({ channel, edit }, { context, nowMs }) {
    const edited = await context.engine.change.editChannel(channel.id, edit);
    const asked = edit.settings?.unverified ? await verificationOf(edited, context, nowMs) : {};
    return { channel: edited, warning: await warningOf(edited, context), ...asked };
  },
  shown: editedChannel,
};

/** Sends the mail with the link once more. */
export const verifyChannel: OwnerCommand<Channel, Channel, Pick<Channel, 'id'> & { readonly sent: true }> = {
  effect: 'changes',
  role: 'editor',
  input: unverifiedChannel,
  async run(channel, { context, nowMs }) {
    mustBeSent(await context.verification.request(channel, nowMs));
    return channel;
  },
  shown: ({ id }) => ({ id, sent: true }),
};

/** In place of the address's owner. */
export const confirmChannel: OwnerCommand<Channel, Channel, ShownChannel> = {
  effect: 'changes',
  role: 'owner',
  input: unverifiedChannel,
  run: (channel, { context }) =>
    context.engine.change.editChannel(channel.id, { settings: { unverified: false, lastError: '' } }),
  shown: shownChannel,
};

function unverifiedChannel({ targets }: CommandRequest): Channel {
  const channel = targets.channel();
  if (!settingsOf(channel).unverified)
    throw new KnellError('conflict', 'this integration needs no verification');
  return channel;
}

export const deleteChannel: OwnerCommand<Channel, Channel, Pick<Channel, 'id'> & { readonly deleted: true }> =
  {
    effect: 'changes',
    role: 'editor',
    input(request) {
      const channel = request.targets.channel();
      mustBeAllowed(request, channel.kind);
      return channel;
    },
    async run(channel, { context, nowMs }) {
      await context.engine.change.deleteChannel(channel.id, nowMs);
      return channel;
    },
    shown: ({ id }) => ({ id, deleted: true }),
  };

export const testChannel: OwnerCommand<Channel, readonly TestResult[]> = {
  effect: 'changes',
  role: 'editor',
  input: ({ targets }) => targets.channel(),
  run: (channel, { context }) => context.outbox.test(channel),
  shown: asIs,
};

interface Warning {
  readonly warning?: string;
}

interface ShownCreation extends Pick<Channel, 'id' | 'name' | 'kind'>, Warning {
  readonly checks: number;
}

/** As commands print it. */
export type ShownChannel = Readonly<Record<string, string | number | boolean>>;

/** With a warning when the server, as it is set up now, will send nothing to it. */
function createdChannel(created: CreatedChannel): ShownCreation {
  const { id, name, kind } = created.channel;
  return { id, name, kind, checks: created.checks, ...warningIn(created) };
}

function editedChannel(edited: EditedChannel): ShownChannel & Warning {
  return { ...shownChannel(edited.channel), ...warningIn(edited) };
}

function warningIn({ warning, verification = null }: EditedChannel): Warning {
  const unsent = verification === null ? null : `the verification email was not sent: ${verification}`;
  const warnings = [warning, unsent].filter((one) => one !== null);
  return warnings.length === 0 ? {} : { warning: warnings.join('; ') };
}

function shownChannel(channel: Channel): ShownChannel {
  const { id, name, kind } = channel;
  const { delayS, repeatS, late, disabled, disabledReason, unverified, lastError } = settingsOf(channel);
  return {
    id,
    name,
    kind,
    delay: delayS,
    repeat: repeatS,
    late,
    disabled,
    last_error: lastError,
    ...(unverified ? { unverified } : {}),
    ...(disabledReason === '' ? {} : { disabled_reason: disabledReason }),
  };
}
