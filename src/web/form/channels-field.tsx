/** The integrations that a check notifies, as boxes to tick. Beside each that would notify nobody now is why. */

import { channelTitle } from '../../domain/accounts/channel-title.ts';
import { checkFieldLabels as labels } from '../../domain/check/check-field-labels.ts';
import type { ChannelView } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { addressOf } from '../core/route.ts';
import { breakable } from '../ui/bits.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { type ServerFacts, type Trouble, troubleOf } from './channel-trouble.ts';

interface ChannelsProps {
  readonly project: string;
  readonly channels: readonly ChannelView[];
  readonly assigned: readonly string[];
  readonly state: ServerFacts;
}

export function Channels({ project, channels, assigned, state }: ChannelsProps) {
  return (
    <fieldset>
      <legend>{labels.channels}</legend>
      {channels.length === 0 && (
        <p>
          No integrations yet: nobody would be notified when this check goes down.{' '}
          <a href={addressOf(project, 'integrations')}>Add an integration</a>
        </p>
      )}
      <ChannelTicks {...{ channels, assigned, state }} />
    </fieldset>
  );
}

export function ChannelTicks({ channels, assigned, state }: Omit<ChannelsProps, 'project'>) {
  return channels.map((channel) => {
    const { id, kind, name } = channel;
    const { title } = kinds[kind].form;
    const trouble = troubleOf(channel, state);
    return (
      <label key={id} class="tick">
        <input type="checkbox" name="channel" value={id} defaultChecked={assigned.includes(id)} />
        <span class="channel">
          <span>{channelTitle(channel)}</span>
          {name !== '' && <span class="faint">{title}</span>}
          <TroubleWords trouble={trouble} />
        </span>
      </label>
    );
  });
}

/** Beside the name of an integration: why it would notify nobody now. */
export function TroubleWords({ trouble }: { readonly trouble: Trouble | null }) {
  if (!trouble) return null;
  return (
    <span class={`trouble ${trouble.mark}`}>
      <Shape of={trouble.mark} size={16} />
      <span>{breakable(trouble.words)}</span>
    </span>
  );
}
