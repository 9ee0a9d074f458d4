/**
 * The dialog of the command palette: a field, and what it finds below it. The arrow keys choose, Enter does it, Escape closes.
 * Invariant: what the keys have chosen stays chosen when more is found; nothing that comes later takes its place.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CheckRow, RowsView } from '../../domain/views/page-view.ts';
import { ask } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { momentWords } from '../core/words.ts';
import { Marked } from '../log/marked.tsx';
import { Problem } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { spoken, verbItems } from './check-verbs.ts';
import {
  actionItems,
  checkItems,
  exactFirst,
  foundItem,
  manualItem,
  matching,
  outputItems,
  type PaletteItem,
  pageItems,
  projectItems,
} from './palette-items.ts';
import { useBack } from './use-back.ts';
import { type Found, useFound } from './use-found.ts';
import { type FoundOutputs, useOutputs } from './use-outputs.ts';
import { usePlaces } from './use-places.ts';
import '../style/palette.css';

type PaletteProps = PageProps & {
  readonly check: string;
  readonly close: () => void;
  /** What was typed while the palette was being loaded. */
  readonly early: { readonly current: string };
};

/** Projects and actions that are shown, of several thousand: more than that nobody looks through. */
const projectsShown = 6;
/** A word such as "url" is in the name of most settings. */
const placesShown = 12;

const searchedWords = 'Search pages, checks, outputs and actions';

export function PaletteDialog(props: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(() => props.early.current);
  const [chosen, setChosen] = useState('');
  const found = useFound(text);
  const named = useFound(spoken(text)?.name ?? '');
  const outputs = useOutputs(props.project, text);
  const field = useRef<HTMLInputElement>(null);
  const typeOn = (more: string): void => {
    setText(more);
    field.current?.focus();
  };
  const matches = useItems(props, text, { found, named, outputs, typeOn });
  const isPending = found.isPending || named.isPending || (matches.length === 0 && outputs.isSearching);
  const isNothing = matches.length === 0 && !isPending && text.trim() !== '';
  const isFailed = matches.length === 0 && (found.error !== '' || outputs.error !== '');
  const items = isNothing ? [manualItem(text.trim())] : matches;
  const active = items.find(({ id }) => id === chosen) ?? items[0];
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const back = useBack(dialog);
  const run = (item: PaletteItem): void => {
    if (item.staysOpen) {
      item.run();
      return;
    }
    // The palette closes first, since the action may ask something or move the focus.
    dialog.current?.close();
    back.leave(() => {
      const before = location.pathname;
      item.run();
      // The focus is where it was before the palette. The page that comes takes it if nothing has it.
      if (location.pathname !== before && document.activeElement instanceof HTMLElement)
        document.activeElement.blur();
    });
  };
  // Who has pressed Enter before meant something here.
  const wait = useEntered(matches.length > 0 ? active : undefined, isPending, run);
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && (event.key !== 'Enter' || event.isComposing)) return;
    event.preventDefault();
    if (step === 0 && active) run(active);
    else if (step === 0) wait();
    else setChosen(items.at(((active ? items.indexOf(active) : -1) + step) % items.length)?.id ?? '');
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard Escape closes it.
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Command palette"
      onClose={() => {
        back.leave(() => {});
        props.close();
      }}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div class="palette-body">
        <div class="palette-field">
          <input
            ref={field}
            type="text"
            role="combobox"
            aria-label={searchedWords}
            aria-expanded={items.length > 0}
            aria-controls="palette-list"
            aria-autocomplete="list"
            {...(active ? { 'aria-activedescendant': active.id } : {})}
            // A phone would cut more off.
            placeholder="Search pages, checks and outputs"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              setChosen('');
            }}
            onKeyDown={pressed}
          />
          {/* Where there is no Escape. */}
          <button type="button" class="symbol" aria-label="Close" onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </div>
        {isNothing && !isFailed && <p class="nothing">Nothing matches.{onlyHereWords(props)}</p>}
        <Options items={items} active={active} choose={setChosen} run={run} />
        <Problem text={found.error || outputs.error} />
        <Searching outputs={outputs} nowMs={Date.now() + props.live.offsetMs} />
        <Foot said={isPending || isFailed ? '' : resultsWords(matches)} found={found} />
      </div>
    </dialog>
  );
}

/** Outputs are searched in one project: in which, where there are others. */
function onlyHereWords({ state, project }: PaletteProps): string {
  const here = state.projects.length > 1 ? state.projects.find(({ id }) => id === project) : undefined;
  return here ? ` Outputs were searched in ${here.name} only.` : '';
}

interface Sources {
  readonly found: Found;
  /** What is found by the name behind a verb. */
  readonly named: Found;
  readonly outputs: FoundOutputs;
  /** Lets the user go on from a text. */
  readonly typeOn: (text: string) => void;
}

/**
 * Returns the items. What is offered at once comes first, so that it stays where it is when the server has answered, but for what has
 * exactly the name that was typed.
 */
function useItems(
  props: PaletteProps,
  text: string,
  { found, named, outputs, typeOn }: Sources,
): readonly PaletteItem[] {
  const row = useOpenRow(props);
  const places = usePlaces(props, text.trim() !== '');
  const offered = [...(row ? checkItems(row, props) : []), ...pageItems(props), ...actionItems(props)];
  if (text.trim() === '') return offered;
  const checks = found.checks.map((one) => foundItem(one, props));
  const said = props.mayEdit ? spoken(text) : null;
  return exactFirst(text, [
    ...matching(offered, text.trim()),
    ...(said ? verbItems(said, named.checks, { ...props, typeOn }) : []),
    ...matching(projectItems(props), text.trim()).slice(0, projectsShown),
    // Of what was found for the text before, only those that fit the new one are shown.
    ...(found.isPending ? matching(checks, text.trim()) : checks),
    ...matching(places, text.trim()).slice(0, placesShown),
    ...outputItems(outputs, props, Date.now() + props.live.offsetMs),
  ]);
}

/** Returns the check that is open, as it is now; null if there is none, and for those who may not do anything to it. */
function useOpenRow({ project, check, mayEdit }: PaletteProps): CheckRow | null {
  const [row, setRow] = useState<CheckRow | null>(null);
  useEffect(() => {
    if (check === '' || !mayEdit) return;
    ask<RowsView>(`/web/in/${project}/rows?ids=${check}`).then(
      ({ rows: [one = null] }) => setRow(one),
      // The page of the check says what is wrong.
      () => {},
    );
  }, [project, check, mayEdit]);
  return row;
}

/** Waits for the answer: somebody who types a name and presses Enter at once means what is found a moment later. */
function useEntered(
  active: PaletteItem | undefined,
  isPending: boolean,
  run: (item: PaletteItem) => void,
): () => void {
  const isWaiting = useRef(false);
  useEffect(() => {
    if (isPending || !isWaiting.current) return;
    isWaiting.current = false;
    if (active) run(active);
  }, [isPending]);
  return () => {
    isWaiting.current = isPending;
  };
}

interface OptionsProps {
  readonly items: readonly PaletteItem[];
  readonly active: PaletteItem | undefined;
  readonly choose: (id: string) => void;
  readonly run: (item: PaletteItem) => void;
}

function Options({ items, active, choose, run }: OptionsProps) {
  const groups = [...new Set(items.map(({ group }) => group))];
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const option = list.current?.querySelector('[aria-selected=true]');
    // The first of a group is shown with the head of the group.
    (option?.previousElementSibling?.matches('.palette-head')
      ? option.parentElement
      : option
    )?.scrollIntoView({
      block: 'nearest',
    });
  }, [active?.id]);
  return (
    <div ref={list} id="palette-list" role="listbox" aria-label="Results" tabIndex={-1}>
      {groups.map((name) => (
        <div key={name} role="group" aria-label={name}>
          <div class="palette-head" aria-hidden="true">
            {name}
          </div>
          {items
            .filter(({ group }) => group === name)
            .map((item) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
              <div
                key={item.id}
                id={item.id}
                role="option"
                aria-selected={item === active}
                // The pointer chooses only when it moves, not when the list moves under a pointer that rests.
                onMouseMove={({ movementX, movementY }) =>
                  movementX ** 2 + movementY ** 2 > 0 && choose(item.id)
                }
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => run(item)}
              >
                {'icon' in item.picture ? (
                  <Icon name={item.picture.icon} size={20} />
                ) : (
                  <Shape of={item.picture.mark} />
                )}
                {item.marks ? (
                  <span class="excerpt">
                    <Marked text={item.words} marks={item.marks} />
                  </span>
                ) : (
                  <span>{item.words}</span>
                )}
                {item.note !== '' && <span class="faint">{item.note}</span>}
              </div>
            ))}
        </div>
      ))}
    </div>
  );
}

/** Says how far the search in outputs is while it runs. */
function Searching({ outputs, nowMs }: { readonly outputs: FoundOutputs; readonly nowMs: number }) {
  const { isSearching, backToMs } = outputs;
  if (!isSearching) return null;
  return (
    <p class="searching faint" role="status">
      Searching outputs{backToMs === null ? '…' : `, back to ${momentWords(backToMs, nowMs)}…`}
    </p>
  );
}

/** What goes on with a search is no result, nor is the way to the manual where there is none. */
function resultsWords(matches: readonly PaletteItem[]): string {
  const count = matches.filter(({ staysOpen }) => !staysOpen).length;
  return count === 0 ? 'No results' : count === 1 ? '1 result' : `${count} results`;
}

interface FootProps {
  /** For readers of screens. */
  readonly said: string;
  readonly found: Found;
}

function Foot({ said, found: { checks, total } }: FootProps) {
  return (
    <div class="palette-foot">
      <span class="hidden" role="status">
        {said}
      </span>
      <span class="palette-keys" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </span>
      {total > checks.length && (
        <span>
          {checks.length} of {total.toLocaleString()} checks
        </span>
      )}
    </div>
  );
}
