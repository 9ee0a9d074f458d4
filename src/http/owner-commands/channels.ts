/**
 * Commands about integrations.
 * Invariant: only owners create, edit or delete integrations that run commands on the server.
 */
import type { Channel, Project } from '../../domain/project.ts';
import type { ChannelEdit, NewChannel } from '../../engine/engine.ts';
import { channelEditIn, mustBeAllowed, newChannelIn } from './channel-input.ts';
import type { OwnerCommand, TestResult } from './command.ts';

export const createChannel: OwnerCommand<
  { readonly project: Project; readonly channel: NewChannel },
  Channel
> = {
  role: 'editor',
  input: (request) => ({ channel: newChannelIn(request), project: request.targets.project() }),
  run: ({ project, channel }, { context, nowMs }) =>
    context.engine.change.createChannel(project.id, channel, nowMs),
};

export const listChannels: OwnerCommand<Project, readonly Channel[]> = {
  role: 'viewer',
  input: ({ targets }) => targets.project(),
  run: ({ id }, { context }) => context.engine.read.channels(id),
};

export const editChannel: OwnerCommand<{ readonly channel: Channel; readonly edit: ChannelEdit }, Channel> = {
  role: 'editor',
  input(request) {
    const channel = request.targets.channel();
    return { channel, edit: channelEditIn(request, channel) };
  },
  run: ({ channel, edit }, { context }) => context.engine.change.editChannel(channel.id, edit),
};

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
