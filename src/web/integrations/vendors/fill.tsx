/**
 * A form that the vendor fills in: the button by which the browser goes there, and the page to which it comes back, which hands
 * the answer to the server and opens the form with what that makes of it.
 * Invariant: once the server has what the vendor sent, it is no longer in the address.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FilledValue, FilledView, FillView } from '../../../domain/views/fill-view.ts';
import { messageOf, Refusal, send } from '../../core/calls.ts';
import type { PageProps } from '../../core/page-props.ts';
import { addressOf, goInstead } from '../../core/route.ts';
import { useTab } from '../../core/tab.ts';
import { Act, Problem } from '../../ui/bits.tsx';

/** Where this tab keeps the name that was typed before its browser went to a vendor. */
const typedKey = 'knell.filled-name';

interface FillProps {
  readonly project: string;
  readonly kind: string;
  readonly label: string;
  /** Whether steps by hand follow. */
  readonly isManualToo: boolean;
}

export function FillButton({ project, kind, label, isManualToo }: FillProps) {
  const [failed, setFailed] = useState('');
  const box = useRef<HTMLElement>(null);
  const leave = async (): Promise<void> => {
    const name = box.current?.closest('form')?.elements.namedItem('name');
    sessionStorage.setItem(typedKey, name instanceof HTMLInputElement ? name.value.trim() : '');
    const { url } = await send<FillView>('POST', `/web/in/${project}/fill/${kind}`);
    location.assign(url);
  };
  return (
    <section class="vendor-fill" ref={box}>
      <Act run={leave} failed={setFailed} class="main">
        {label}
      </Act>
      <Problem text={failed} />
      {isManualToo && <p>Or by hand:</p>}
    </section>
  );
}

/** What a vendor has filled in, for one form. */
export interface Filled {
  readonly kind: string;
  readonly values: readonly FilledValue[];
  readonly error: string;
  /** The name that was typed before; empty for none. */
  readonly typed: string;
}

let handedOver: Filled | null = null;

/** Returns what the vendor has filled in for a form of that kind, once. */
export function takeFilled(kind: string): Filled | null {
  const taken = handedOver?.kind === kind ? handedOver : null;
  handedOver = null;
  return taken;
}

/** The page that a vendor sends the browser back to. */
export function FilledPage({ project, live, kind }: PageProps & { readonly kind: string }) {
  const [failed, setFailed] = useState<{ readonly words: string; readonly isFinal: boolean } | null>(null);
  useTab(live.summary, 'New integration');
  const finish = async (): Promise<void> => {
    const query = location.search.slice(1);
    await send<FilledView>('POST', '/web/filled', { kind, query }).then(
      ({ project: of, values, error }) => {
        handedOver = { kind, values, error, typed: sessionStorage.getItem(typedKey) ?? '' };
        sessionStorage.removeItem(typedKey);
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
      <h1>Not filled in</h1>
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
