/**
 * Commands about integrations.
 * Invariant: only owners create, edit or delete integrations that run commands on the server, and only owners confirm an
 * address in place of the person who reads its mail.
 */

import {
  type ChannelSettings,
  channelSettingFields,
  type IntegrationSettings,
  integrationSettings,
  type OwnerSettingField,
  type OwnerSettingName,
  typedThenSwitched,
} from '../../domain/accounts/channel-settings.ts';
import type { Apart } from '../../domain/accounts/channel-title.ts';
import { channelsApart } from '../../domain/accounts/channels-apart.ts';
import { type Channel, channelKinds, settingsOf } from '../../domain/accounts/project.ts';
import { mayActAs } from '../../domain/accounts/user.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { KnellError } from '../../lib/errors.ts';
import { type Argument, type Kind, optional, required, withDefault } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { channelEditIn, mustBeAllowed, newChannelIn } from '../contract/channel-input.ts';
import type { CommandContext } from '../contract/command.ts';
import { command } from '../contract/declaration.ts';
import { mustBeSent, type VerificationError } from '../contract/verification.ts';
import { assignedChecks } from './assigned-checks.ts';

export interface CreatedChannel {
  readonly channel: Channel;
  /** Number of checks that notify it from now on. */
  readonly checks: number;
  /** Why nothing will be sent to it, as this server is set up now. */
  readonly warning: string | null;
  /** The addresses that are to blame for it; empty for none. */
  readonly blocked: readonly string[];
  /** For an address that has to confirm: null when the mail was sent, else why not. Absent when no confirmation is needed. */
  readonly verification?: VerificationError;
}

export type EditedChannel = Omit<CreatedChannel, 'checks'>;

const text = kind.readByCommand<string>(kind.text());

type SettingArguments = {
  readonly [Name in OwnerSettingName]: Argument<ChannelSettings[Name] | undefined, undefined>;
};

/** When it is notified, out of the table of settings. `isNew`: some are not asked for then. */
function settingArguments({ isNew }: { readonly isNew: boolean }): SettingArguments {
  return Object.fromEntries(
    typedThenSwitched.map((name) => {
      const field = channelSettingFields[name];
      const { option } = field;
      const isShown = !(isNew && field.isLater);
      return [
        name,
        optional(kindOf(field), isShown ? `--${option.name} <${option.value}>` : null, option.help),
      ];
    }),
  ) as SettingArguments;
}

function kindOf(field: OwnerSettingField): Kind<number | boolean | string, undefined> {
  switch (field.kind) {
    case 'seconds':
      return { ...kind.seconds, is: `seconds: 0, or ${field.min} to ${field.max}` };
    case 'flag':
      return kind.readByCommand(kind.flag({ yes: field.on, no: field.off }));
    case 'words':
    case 'zone':
      return text;
  }
}

/** Each field of its form by its name. The command line has an option for each. */
const fields = optional(
  kind.readByCommand<Readonly<Record<string, string>>>({ ...kind.object, typed: () => ({}) }),
  null,
  'its settings one by one, instead of `value`',
);
const confirmed = optional(
  kind.readByCommand<boolean>(kind.flag()),
  null,
  'whether the address of an email integration needs no confirmation',
);

export const channelCommands = {
  /** Assigned before anybody is asked to confirm: a mail server that hangs must not leave an integration without checks. */
  'channel create': command({
    effect: 'changes',
    role: 'editor',
    help: 'create an integration',
    more: `knell channel kinds KIND explains the options of a kind.

Examples:
  knell channel create default --kind email --name ops --value ops@example.org
  knell channel create default --kind ntfy --name phone --topic my-alerts --priority 5
  knell channel create default --kind webhook --name hook --url-down https://example.org/down`,
    takes: {
      project: required(kind.project, '[project]'),
      kind: required(
        kind.logged(kind.readByCommand(kind.choice(channelKinds))),
        '--kind <kind>',
        'the type of integration',
      ),
      name: required(kind.logged(text), '--name <name>', 'the name; may be empty'),
      value: optional(
        text,
        '--value <value>',
        'the settings of its kind as a whole: an address, or JSON as Healthchecks stores it',
      ),
      fields,
      ...settingArguments({ isNew: true }),
      confirmed,
      checks: withDefault(assignedChecks, 'all', '--checks <which>', 'the checks that notify it'),
    },
    async run({ project, checks }, request) {
      const { context, nowMs } = request;
      const { change } = context.engine;
      const channel = newChannelIn(request);
      const chosen = checks(project);
      const created = await change.createChannel(project.id, channel, nowMs);
      const assigned = chosen === 'none' ? 0 : await change.assignChannel(created.id, chosen, nowMs);
      return {
        channel: created,
        checks: assigned,
        ...(await warningOf(created, context)),
        ...(await verificationOf(created, context, nowMs)),
      };
    },
    shown: createdChannel,
  }),
  'channel list': command({
    effect: 'reads',
    role: 'viewer',
    help: 'list the integrations of a project',
    takes: { project: required(kind.project, '[project]') },
    run({ project }, { context, role }) {
      const channels = [...context.engine.read.channels(project.id)];
      const apart = channelsApart(channels, mayActAs(role, 'editor'));
      return channels.map((channel) => ({ channel, ...apart(channel.id) }));
    },
    shown: (listed): readonly ListedChannel[] =>
      listed.map(({ channel, ...apart }) => ({ ...shownChannel(channel), ...apart })),
  }),
  'channel edit': command({
    effect: 'changes',
    role: 'editor',
    help: 'edit an integration; omitted options keep their value',
    takes: {
      channel: required(kind.channel, '<channel>'),
      name: optional(kind.logged(text), '--name <name>', 'the name'),
      value: optional(text, '--value <value>', 'the settings of its kind'),
      fields,
      clear: optional(
        kind.readByCommand<readonly string[]>(kind.texts('fields')),
        null,
        'the fields to empty',
      ),
      ...settingArguments({ isNew: false }),
      confirmed,
    },
    async run({ channel }, request): Promise<EditedChannel> {
      const { context, nowMs } = request;
      const edit = channelEditIn(request, channel);
      const edited = await context.engine.change.editChannel(channel.id, edit);
      const asked = edit.settings?.unverified ? await verificationOf(edited, context, nowMs) : {};
      return { channel: edited, ...(await warningOf(edited, context)), ...asked };
    },
    shown: editedChannel,
  }),
  'channel delete': command({
    effect: 'changes',
    role: 'editor',
    help: 'remove an integration from its checks, and then itself',
    takes: { channel: required(kind.channel, '<channel>') },
    async run({ channel }, request) {
      mustBeAllowed(request, channel.kind);
      await request.context.engine.change.deleteChannel(channel.id, request.nowMs);
      return channel;
    },
    shown: ({ id }) => ({ id, deleted: true }),
  }),
  'channel test': command({
    effect: 'changes',
    role: 'editor',
    help: 'send a test notification and print the result',
    takes: { channel: required(kind.channel, '<channel>') },
    run: ({ channel }, { context }) => context.outbox.test(channel),
    // What a webhook answered is for the page.
    shown: (results) => results.map(({ answer: _, ...result }) => result),
  }),
  'channel verify': command({
    effect: 'changes',
    role: 'editor',
    help: 'send the email with which an address confirms that it wants alerts, once more',
    takes: { channel: required(kind.channel, '<channel>') },
    async run({ channel }, { context, nowMs }) {
      mustBeUnverified(channel);
      mustBeSent(await context.verification.request(channel, nowMs));
      return channel;
    },
    shown: ({ id }) => ({ id, sent: true }),
  }),
  'channel confirm': command({
    effect: 'changes',
    role: 'owner',
    help: 'confirm an address in place of its owner',
    takes: { channel: required(kind.channel, '<channel>') },
    run({ channel }, { context }) {
      mustBeUnverified(channel);
      return context.engine.change.editChannel(channel.id, {
        settings: { unverified: false, lastError: '', failingSinceMs: 0 },
      });
    },
    shown: shownChannel,
  }),
} as const;

function mustBeUnverified(channel: Channel): void {
  if (!settingsOf(channel).unverified)
    throw new KnellError('conflict', 'this integration needs no verification');
}

async function warningOf(
  { kind, value }: Channel,
  { outbox }: CommandContext,
): Promise<Pick<CreatedChannel, 'warning' | 'blocked'>> {
  const missing = outbox.missingFor(kind);
  if (missing.length === 0) {
    const refusal = await outbox.refusalOf(kind, value);
    return { warning: refusal?.text ?? null, blocked: refusal?.addresses ?? [] };
  }
  const are = missing.length === 1 ? 'is' : 'are';
  return {
    warning: `${titles[kind]} needs ${missing.join(', ')}, which ${are} not set on this server`,
    blocked: [],
  };
}

async function verificationOf(
  channel: Channel,
  { verification }: CommandContext,
  nowMs: number,
): Promise<Pick<CreatedChannel, 'verification'>> {
  return settingsOf(channel).unverified ? { verification: await verification.request(channel, nowMs) } : {};
}

interface Warning {
  readonly warning?: string;
}

interface ShownCreation extends Pick<Channel, 'id' | 'name' | 'kind'>, Warning {
  readonly checks: number;
}

/** An integration as commands print it. */
export interface ShownChannel
  extends Pick<Channel, 'id' | 'name' | 'kind'>,
    Omit<IntegrationSettings, 'time_zone'> {
  readonly last_error: string;
  readonly unverified?: boolean;
  readonly disabled_reason?: string;
}

/** `apart`: what distinguishes it from those of the same name. */
interface ListedChannel extends ShownChannel, Apart {}

/** The outcome, with a warning when the server, as it is set up now, will send nothing to it. */
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
  const settings = settingsOf(channel);
  const { disabledReason, unverified, lastError } = settings;
  const { time_zone: _, ...shown } = integrationSettings(settings);
  return {
    id,
    name,
    kind,
    ...shown,
    last_error: lastError,
    ...(unverified ? { unverified } : {}),
    ...(disabledReason === '' ? {} : { disabled_reason: disabledReason }),
  };
}
