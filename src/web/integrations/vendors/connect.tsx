/**
 * Adds an integration on the vendor's own page: the button that opens it, and what follows when the vendor redirects back. Meanwhile this
 * tab keeps what was typed into the form.
 * Invariant: the vendor's code is in the address only until the server has answered.
 */
import { useRef } from 'preact/hooks';
import type { ChannelKind } from '../../../domain/accounts/project.ts';
import type { ConnectedView, PageState, VendorPageView } from '../../../domain/views/page-view.ts';
import { kinds } from '../../../integrations/all.ts';
import { send } from '../../core/calls.ts';
import { replaceSearch } from '../../core/route.ts';
import { leaveUnasked } from '../../core/typed.ts';
import { Act } from '../../ui/bits.tsx';
import { assignByTag, creation, type Draft, draftOf, dropDraft, keepDraft, tagOf } from '../draft.ts';

interface ConnectProps {
  readonly project: string;
  readonly kind: ChannelKind;
  readonly state: PageState;
  readonly draft: (form: FormData) => Draft;
  readonly failed: (reason: unknown) => void;
}

/** Nothing where this server has no app at the vendor. */
export function Connect({ project, kind, state, draft, failed }: ConnectProps) {
  const box = useRef<HTMLElement>(null);
  if (!state.connects?.includes(kind)) return null;
  const { title } = kinds[kind].form;
  const leave = async (): Promise<void> => {
    const form = box.current?.closest('form');
    if (!form) return;
    const drafted = draft(new FormData(form));
    const { url, state } = await send<VendorPageView>(
      'POST',
      `/web/in/${project}/connect`,
      creation(kind, drafted),
    );
    keepDraft(state, drafted);
    leaveUnasked();
    location.assign(url);
  };
  return (
    <section class="connect" aria-label={`Add to ${title}`} ref={box}>
      <Act class="main" run={() => leave().catch(failed)} failed={() => {}}>
        Add to {title}
      </Act>
      <p class="faint">{title} asks for the channel, then returns here. Or create a webhook by hand:</p>
    </section>
  );
}

/** What a vendor has put into the address when it redirected back. */
export interface Return {
  readonly state: string;
  readonly code: string;
  /** Empty, or a word for why there is no code. */
  readonly error: string;
}

export function returnIn(search: string): Return | null {
  const given = new URLSearchParams(search);
  const of = (name: string): string => given.get(name) ?? '';
  return given.has('state') ? { state: of('state'), code: of('code'), error: of('error') } : null;
}

/** Adds the integration. Rejects with a sentence for the user. */
export async function finish(
  project: string,
  kind: ChannelKind,
  { state, code, error }: Return,
): Promise<ConnectedView> {
  const { title } = kinds[kind].form;
  try {
    if (error !== '') throw new Error(refusedWords(title, error));
    const draft = draftOf(state);
    const finishing = { ...(draft && creation(kind, draft)), state, code };
    const added = await send<ConnectedView>('POST', `/web/in/${project}/connect/finish`, finishing);
    dropDraft();
    const tag = draft && tagOf(draft.chosen);
    if (tag === null || added.wasThere) return added;
    return { ...added, checks: await assignByTag(project, added.id, tag) };
  } finally {
    replaceSearch('');
  }
}

function refusedWords(title: string, error: string): string {
  const again = `Choose Add to ${title} again, or enter the address by hand.`;
  if (error === 'access_denied') return `Nothing was added: nobody allowed it at ${title}. ${again}`;
  const word = /^[a-z_]{1,60}$/.test(error) ? ` (${error})` : '';
  return `Nothing was added: ${title} refused it${word}. ${again}`;
}
