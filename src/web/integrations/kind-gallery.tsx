/**
 * The gallery of all kinds of integrations, from which one is added; words or a category narrow it. Kinds that this server lacks
 * something for come last.
 */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChannelKind } from '../../domain/accounts/project.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { type Category, categories } from '../../integrations/contract/kind.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { addressOf, go, settingAddressFor } from '../core/route.ts';
import { Icon } from '../ui/icons.tsx';
import { kindsInOrder, offeredTitle } from './kind-words.ts';

/** Kinds that are shown at first, in rows of four. */
const configuredAtFirst = 12;
const othersAtFirst = 4;

interface GalleryProps {
  readonly project: string;
  readonly missing: PageState['missing'];
  readonly isOwner: boolean;
  /** Whether it is all of the page: then its search has the focus, but where that would open a keyboard over it. */
  readonly isPage?: boolean;
}

export function KindGallery({ project, missing, isOwner, isPage = false }: GalleryProps) {
  const [text, setText] = useState('');
  const [category, setCategory] = useState<Category | 'All'>('All');
  const [showsAll, setShowsAll] = useState(false);
  const found = kindsInOrder.filter(
    (kind) => (category === 'All' || kinds[kind].category === category) && matches(kind, text),
  );
  const isCut = !showsAll && text.trim() === '' && category === 'All';
  const lacks = (kind: ChannelKind): boolean => (missing[kind] ?? []).length > 0;
  const configured = found.filter((kind) => !lacks(kind));
  const others = found.filter(lacks);
  const firstCut = configured[configuredAtFirst] ?? others[othersAtFirst];
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isPage && !matchMedia('(pointer: coarse)').matches)
      list.current?.querySelector<HTMLElement>('input[type=search]')?.focus({ preventScroll: true });
  }, [isPage]);
  // The button that had the focus is gone.
  useLayoutEffect(() => {
    if (showsAll) list.current?.querySelector<HTMLElement>(`.kind[data-kind="${firstCut}"]`)?.focus();
  }, [showsAll]);
  return (
    <section aria-labelledby="add-integration" class="gallery" ref={list}>
      <div class="gallery-head">
        <h2 id="add-integration">Add an integration</h2>
        <fieldset class="chips" aria-label="Categories">
          {(['All', ...categories] as const).map((one) => (
            <button
              key={one}
              type="button"
              class="chip"
              aria-pressed={one === category}
              onClick={() => setCategory(one)}
            >
              {one}
            </button>
          ))}
        </fieldset>
        <span class="search">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Search kinds of integrations"
            placeholder={`Search ${kindsInOrder.length} kinds`}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={({ key }) => {
              const [only, other] = found;
              if (key === 'Enter' && only && !other && !lacks(only))
                go(addressOf(project, 'integrations', `new/${only}`));
            }}
          />
        </span>
      </div>
      <p class="hidden" role="status">
        {found.length === 1 ? '1 kind' : `${found.length} kinds`}
      </p>
      {found.length === 0 && (
        <p class="faint">No kind matches. A webhook or a shell command can reach anything else.</p>
      )}
      <ul class="kinds">
        {(isCut ? configured.slice(0, configuredAtFirst) : configured).map((kind) => (
          <li key={kind}>
            <a class="kind" data-kind={kind} href={addressOf(project, 'integrations', `new/${kind}`)}>
              <KindCard kind={kind} line={kinds[kind].line} />
              <Icon name="plus" />
            </a>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <>
          <p class="faint">
            Not configured on this server.{' '}
            {isOwner
              ? 'Choose one to set what it needs.'
              : 'An owner can change that in the settings of the server.'}
          </p>
          <ul class="kinds">
            {(isCut ? others.slice(0, othersAtFirst) : others).map((kind) => (
              <li key={kind}>
                <Unconfigured kind={kind} lacks={missing[kind] ?? []} isOwner={isOwner} />
              </li>
            ))}
          </ul>
        </>
      )}
      {isCut && (
        <button type="button" class="all-kinds" onClick={() => setShowsAll(true)}>
          Show all {kindsInOrder.length} kinds
          <Icon name="down" size={14} />
        </button>
      )}
    </section>
  );
}

interface UnconfiguredProps {
  readonly kind: ChannelKind;
  /** Settings that the server lacks. */
  readonly lacks: readonly string[];
  readonly isOwner: boolean;
}

/** Owners can set what is missing; to others its name says what to ask for. */
function Unconfigured({ kind, lacks, isOwner }: UnconfiguredProps) {
  const needs = `Needs ${lacks.join(', ')}`;
  if (isOwner)
    return (
      <a class="kind unconfigured" data-kind={kind} href={settingAddressFor(kind, lacks[0])} title={needs}>
        <KindCard kind={kind} line={kinds[kind].line} />
        <Icon name="gear" />
      </a>
    );
  return (
    <div class="kind unconfigured" data-kind={kind} tabIndex={-1}>
      <KindCard kind={kind} line={needs} />
    </div>
  );
}

function matches(kind: ChannelKind, text: string): boolean {
  const { category, line } = kinds[kind];
  return `${offeredTitle(kind)} ${titles[kind]} ${category} ${line} ${kind}`
    .toLowerCase()
    .includes(text.trim().toLowerCase());
}

function KindCard({ kind, line }: { readonly kind: ChannelKind; readonly line: string }) {
  return (
    <>
      <span class="kind-icon">
        <Icon name={kinds[kind].icon} />
      </span>
      <span class="channel-name">
        <strong>{offeredTitle(kind)}</strong>
        <span>{line}</span>
      </span>
    </>
  );
}
