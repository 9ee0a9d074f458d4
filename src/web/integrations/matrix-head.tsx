/** The heads of the matrix: each integration, with a way to choose it for all checks that are shown, or for none of them. */

import { useRef, useState } from 'preact/hooks';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import type { IntegrationView } from '../../domain/views/integration-view.ts';
import type { AssignedView, PageState } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { send } from '../core/calls.ts';
import { checksWords } from '../core/words.ts';
import type { Range } from '../rows/use-scrolled.ts';
import { Act, Problem } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { say } from '../ui/toasts.tsx';
import { healthOf } from './integration-health.ts';

interface HeadProps {
  readonly project: string;
  readonly channels: readonly IntegrationView[];
  readonly columns: Range;
  readonly columnPx: number;
  /** Query of the checks that are shown; their number is beside it. */
  readonly search: string;
  readonly total: number;
  readonly state: Pick<PageState, 'nowMs' | 'missing'>;
  readonly changed: () => void;
}

export function MatrixHead(props: HeadProps) {
  const { channels, columns, columnPx } = props;
  const [asked, setAsked] = useState<IntegrationView | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const ask = (channel: IntegrationView): void => {
    setAsked(channel);
    dialog.current?.showModal();
  };
  return (
    <>
      <div class="matrix-head" role="row" tabIndex={-1} aria-rowindex={1}>
        <span class="first">
          <span role="columnheader" tabIndex={-1} class="name">
            Check
          </span>
          <span role="columnheader" tabIndex={-1} aria-colindex={2} class="whole">
            All integrations
          </span>
        </span>
        <span style={{ width: `${columns.from * columnPx}px` }} />
        {channels.slice(columns.from, columns.until).map((channel, n) => (
          <span
            key={channel.id}
            role="columnheader"
            tabIndex={-1}
            aria-colindex={columns.from + n + 3}
            class="channel"
          >
            <Title channel={channel} state={props.state} />
            <button type="button" onClick={() => ask(channel)}>
              Set all…<span class="hidden"> checks that are shown, for {channelTitle(channel)}</span>
            </button>
          </span>
        ))}
      </div>
      <Confirm {...props} asked={asked} dialog={dialog} />
    </>
  );
}

/** One that gets nothing now says so: a tick for it notifies nobody. */
function Title({ channel, state }: Pick<HeadProps, 'state'> & { readonly channel: IntegrationView }) {
  const { nowMs, missing } = state;
  const { mark, words } = healthOf(channel, { nowMs, missing: missing[channel.kind] ?? [] });
  const isWell = mark === 'up' || mark === 'new';
  const name = channelTitle(channel);
  return (
    <span class="title" title={isWell ? name : `${name}: ${words}`}>
      {isWell ? <Icon name={kinds[channel.kind].icon} size={14} /> : <Shape of={mark} size={14} />}
      {name}
      {!isWell && <span class="hidden">: {words}</span>}
    </span>
  );
}

interface ConfirmProps extends HeadProps {
  readonly asked: IntegrationView | null;
  readonly dialog: { current: HTMLDialogElement | null };
}

/** Whether the integration is notified about all checks that are shown, or about none of them. */
function Confirm({ project, search, total, changed, asked, dialog }: ConfirmProps) {
  const [failed, setFailed] = useState('');
  const shown =
    total === 1 ? 'the check that is shown' : `the ${total.toLocaleString()} checks that are shown`;
  const name = asked ? channelTitle(asked) : '';
  const run = async (on: boolean): Promise<void> => {
    if (!asked) return;
    const path = `/web/in/${project}/channels/${asked.id}/checks`;
    const done = await send<AssignedView>('POST', path, { on, search });
    dialog.current?.close();
    const back = (): Promise<unknown> => send('POST', path, { on: !on, only: done.changed }).finally(changed);
    say(`${name}: ${changedWords(done.count, on)}`, done.changed.length > 0 ? back : null);
    changed();
  };
  return (
    <dialog ref={dialog} aria-label="All checks that are shown">
      <p>
        Is {name} to be notified about {shown}?
      </p>
      <Problem text={failed} />
      <div class="actions">
        <Act class="main" run={() => run(true)} failed={setFailed}>
          Notify about all
        </Act>
        <Act run={() => run(false)} failed={setFailed}>
          Notify about none
        </Act>
        <button type="button" onClick={() => dialog.current?.close()} autofocus>
          Cancel
        </button>
      </div>
    </dialog>
  );
}

function changedWords(count: number, on: boolean): string {
  if (count === 0) return on ? 'they notified it already.' : 'none of them notified it.';
  return `${checksWords(count)} changed.`;
}
