/**
 * A form that the vendor fills in: the button by which the browser goes there, and the page to which it comes back, which hands
 * the answer to the server and opens the form with what that makes of it.
 * Invariant: once the server has what the vendor sent, it is no longer in the address.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChannelKind } from '../../../domain/accounts/project.ts';
import type { FilledValue, FilledView } from '../../../domain/views/fill-view.ts';
import type { PageState, VendorPageView } from '../../../domain/views/page-view.ts';
import { kinds } from '../../../integrations/all.ts';
import { messageOf, Refusal, send } from '../../core/calls.ts';
import type { PageProps } from '../../core/page-props.ts';
import { addressOf, goInstead } from '../../core/route.ts';
import { useTab } from '../../core/tab.ts';
import { leaveUnasked } from '../../core/typed.ts';
import { Act, Problem } from '../../ui/bits.tsx';
import { type Draft, draftOf, dropDraft, keepDraft } from '../draft.ts';

interface FillProps {
  readonly project: string;
  readonly kind: ChannelKind;
  readonly state: PageState;
  readonly draft: (form: FormData) => Draft;
}

/** Nothing where the owner has not set the vendor up. */
export function FillButton({ project, kind, state, draft }: FillProps) {
  const [failed, setFailed] = useState('');
  const box = useRef<HTMLElement>(null);
  const { fill, steps } = kinds[kind].form;
  if (!state.fills?.includes(kind) || kind in state.missing) return null;
  const leave = async (): Promise<void> => {
    const form = box.current?.closest('form');
    if (!form) return;
    const { url, state } = await send<VendorPageView>('POST', `/web/in/${project}/fill/${kind}`);
    keepDraft(state, draft(new FormData(form)));
    leaveUnasked();
    location.assign(url);
  };
  return (
    <section class="vendor-fill" aria-label={fill} ref={box}>
      <Act run={leave} failed={setFailed} class="main">
        {fill}
      </Act>
      <Problem text={failed} />
      {steps && <p>Or by hand:</p>}
    </section>
  );
}

/** What a vendor has filled in, for one form. */
export interface Filled {
  readonly kind: string;
  readonly values: readonly FilledValue[];
  readonly error: string;
  /** What was typed before that; null for nothing. */
  readonly typed: Draft | null;
}

export const nameOf = ({ name }: FilledValue): string => name || 'Another one';

/** What the form begins with: what was typed, and the vendor's name if none was. */
export function draftOfFilled({ values: [first], typed }: Filled): Draft {
  const { name, settings, chosen }: Draft = typed ?? { name: '', settings: {}, chosen: 'all' };
  return { name: name || (first?.name ?? ''), settings, chosen };
}

/** The rest, after the first: the name that was typed was for that. */
export function nextOf({ values, typed, ...filled }: Filled): Filled {
  return { ...filled, values: values.slice(1), typed: typed && { ...typed, name: '' } };
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
        const typed = draftOf(new URLSearchParams(query).get('state') ?? '');
        dropDraft();
        handedOver = { kind, values, error, typed };
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

interface FilledWordsProps extends Filled {
  readonly kind: ChannelKind;
  readonly skip: () => void;
}

/** Says what the vendor has filled in. */
export function FilledWords({ kind, values, error, skip }: FilledWordsProps) {
  const [first] = values;
  if (!first) return <Problem text={error} />;
  const { title } = kinds[kind].form;
  const left = values.length - 1;
  const others = left === 0 ? '' : ` After it ${left === 1 ? 'one more follows' : `${left} more follow`}.`;
  return (
    <>
      <p role="status">
        {title} has filled in this form{first.name === '' ? '' : ` for ${first.name}`}: nothing is added
        before you choose to.{others}
      </p>
      <Problem
        text={
          first.existing === undefined
            ? ''
            : `The integration ${first.existing} sends to the same already: another one would alert twice.`
        }
      />
      {left > 0 && (
        <div class="actions">
          <button type="button" onClick={skip}>
            Skip {nameOf(first)}
          </button>
        </div>
      )}
    </>
  );
}
