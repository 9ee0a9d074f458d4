/**
 * Commands about integrations.
 * Invariant: only owners create, edit or delete integrations that run commands on the server, and only owners confirm an
 * address in place of the person who reads its mail.
 */
import { type Channel, type Project, settingsOf } from '../../domain/project.ts';
import type { ChannelEdit, NewChannel } from '../../engine/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { channelEditIn, mustBeAllowed, newChannelIn } from './channel-input.ts';
import type { CommandContext, CommandRequest, OwnerCommand, TestResult } from './command.ts';
import { mustBeSent, type VerificationError } from './verification.ts';

export interface CreatedChannel {
  readonly channel: Channel;
  /** Of an address that has to confirm: null when the mail was sent, else why not. Absent when none is needed. */
  readonly verification?: VerificationError;
}

export const createChannel: OwnerCommand<
  { readonly project: Project; readonly channel: NewChannel },
  CreatedChannel
> = {
  role: 'editor',
  input: (request) => ({ channel: newChannelIn(request), project: request.targets.project() }),
  async run({ project, channel }, { context, nowMs }) {
    const created = await context.engine.change.createChannel(project.id, channel, nowMs);
    return withVerification(created, context, nowMs);
  },
};

async function withVerification(
  channel: Channel,
  { verification }: CommandContext,
  nowMs: number,
): Promise<CreatedChannel> {
  return settingsOf(channel).unverified
    ? { channel, verification: await verification.request(channel, nowMs) }
    : { channel };
}

export const listChannels: OwnerCommand<Project, readonly Channel[]> = {
  role: 'viewer',
  input: ({ targets }) => targets.project(),
  run: ({ id }, { context }) => context.engine.read.channels(id),
};

export const editChannel: OwnerCommand<
  { readonly channel: Channel; readonly edit: ChannelEdit },
  CreatedChannel
> = {
  role: 'editor',
  input(request) {
    const channel = request.targets.channel();
    return { channel, edit: channelEditIn(request, channel) };
  },
  async run({ channel, edit }, { context, nowMs }) {
    const edited = await context.engine.change.editChannel(channel.id, edit);
    return edit.settings?.unverified ? withVerification(edited, context, nowMs) : { channel: edited };
  },
};

/** Sends the mail with the link once more. */
export const verifyChannel: OwnerCommand<Channel, Channel> = {
  role: 'editor',
  input: unverifiedChannel,
  async run(channel, { context, nowMs }) {
    mustBeSent(await context.verification.request(channel, nowMs));
    return channel;
  },
};

/** In place of the address's owner. */
export const confirmChannel: OwnerCommand<Channel, Channel> = {
  role: 'owner',
  input: unverifiedChannel,
  run: (channel, { context }) =>
    context.engine.change.editChannel(channel.id, { settings: { unverified: false, lastError: '' } }),
};

function unverifiedChannel({ targets }: CommandRequest): Channel {
  const channel = targets.channel();
  if (!settingsOf(channel).unverified)
    throw new KnellError('conflict', 'this integration needs no verification');
  return channel;
}

export const deleteChannel: OwnerCommand<Channel, Channel> = {
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
};

export const testChannel: OwnerCommand<Channel, readonly TestResult[]> = {
  role: 'editor',
  input: ({ targets }) => targets.channel(),
  run: (channel, { context }) => context.outbox.test(channel),
};
