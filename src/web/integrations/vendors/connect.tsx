/**
 * A form that the vendor fills in: the button by which the browser goes there, and the page to which it comes back, which hands
 * the answer to the server and opens the form with what that makes of it.
 * Invariant: once the server has what the vendor sent, it is no longer in the address.
 */
import { useEffect, useState } from 'preact/hooks';
import type { ConnectedValue, ConnectedView, ConnectView } from '../../../domain/views/connect-view.ts';
import { messageOf, Refusal, send } from '../../core/calls.ts';
import type { PageProps } from '../../core/page-props.ts';
import { addressOf, goInstead } from '../../core/route.ts';
import { useTab } from '../../core/tab.ts';
import { Act, Problem } from '../../ui/bits.tsx';

interface ConnectProps {
  readonly project: string;
  readonly kind: string;
  readonly label: string;
  /** Whether steps by hand follow. */
  readonly isManualToo: boolean;
}

export function ConnectButton({ project, kind, label, isManualToo }: ConnectProps) {
  const [failed, setFailed] = useState('');
  const leave = async (): Promise<void> => {
    const { url } = await send<ConnectView>('POST', `/web/in/${project}/connect/${kind}`);
    location.assign(url);
  };
  return (
    <section class="connect">
      <Act run={leave} failed={setFailed} class="main">
        {label}
      </Act>
      <Problem text={failed} />
      {isManualToo && <p>Or by hand:</p>}
    </section>
  );
}

/** What a vendor has filled in, for one form. */
export interface Connected {
  readonly kind: string;
  readonly values: readonly ConnectedValue[];
  readonly error: string;
}

let handedOver: Connected | null = null;

/** Returns what the vendor has filled in for a form of that kind, once. */
export function takeConnected(kind: string): Connected | null {
  const taken = handedOver?.kind === kind ? handedOver : null;
  handedOver = null;
  return taken;
}

/** The page that a vendor sends the browser back to. */
export function ConnectedPage({ project, live, kind }: PageProps & { readonly kind: string }) {
  const [failed, setFailed] = useState<{ readonly words: string; readonly isFinal: boolean } | null>(null);
  useTab(live.summary, 'New integration');
  const finish = async (): Promise<void> => {
    const query = location.search.slice(1);
    await send<ConnectedView>('POST', '/web/connect', { kind, query }).then(
      ({ project: of, values, error }) => {
        handedOver = { kind, values, error };
        goInstead(addressOf(of, 'integrations', `new/${kind}`));
      },
      (reason: unknown) => {
        const isFinal = reason instanceof Refusal && reason.status < 500;
        setFailed({ words: messageOf(reason), isFinal });
      },
    );
  };
  useEffect(() => void finish(), []);
  if (!failed) return <p role="status">One moment…</p>;
  return (
    <>
      <h1>Not connected</h1>
      <Problem text={failed.words} />
      <div class="actions">
        {!failed.isFinal && (
          <Act run={finish} failed={() => {}}>
            Try again
          </Act>
        )}
        <a class="button" href={addressOf(project, 'integrations')}>
          Back to integrations
        </a>
      </div>
    </>
  );
}
