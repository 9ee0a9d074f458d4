/**
 * The checks and tags that hold the alerts of a check back: a list by their names, and a field that finds more by name, slug or tag.
 * Invariant: what was written before is sent as it was written, by slug, UUID or tag, until somebody removes it; what is typed
 * and not yet in the list is sent, too, unless it finds checks and is none of them.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import { checkFieldLabels as labels } from '../../domain/check/check-field-labels.ts';
import type { CheckRow, ListView, RowsView } from '../../domain/views/page-view.ts';
import { foldCase, matchRank, searchWords } from '../../domain/words/search-words.ts';
import { ask, useAsk } from '../core/calls.ts';
import { type ApiCheck, apiPath } from '../rows/api-check.ts';
import { nameOf } from '../rows/row-words.ts';
import { useEntered } from '../rows/use-entered.ts';
import { type FieldError, FieldErrorText, markedInvalid, noFieldError } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { Icon } from '../ui/icons.tsx';
import { isSaveKey } from '../ui/shortcuts.tsx';

/** Checks that are asked for, the first of those that match. */
const offeredMax = 50;
/** Checks and tags that are shown below the field. */
const shownMax = 8;
/** Slugs that are looked up: each is a request, and nobody lists so many. */
const lookedUpMax = 20;
/** Checks of a tag that are looked at. */
const taggedMax = 50;
const tagPrefix = 'tag:';

interface DependsFieldProps {
  readonly project: string;
  /** The check that is edited, which does not depend on itself. */
  readonly check: Partial<ApiCheck>;
  readonly value: string;
  readonly invalid: FieldError;
}

/** One of what can be chosen: its words, how it is written, and all ways in which it may be written. */
interface Offer {
  readonly words: string;
  readonly written: string;
  readonly names: readonly string[];
}

export function DependsField({ project, check, value, invalid }: DependsFieldProps) {
  const [chosen, setChosen] = useState<readonly string[]>(() => partsOf(value));
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { data, isPending } = useListed(project, text);
  const offers = offersOf(data, check.uuid ?? '').filter(
    ({ names }) => !names.some((name) => chosen.includes(name)),
  );
  const found = text.trim() === '' || isPending ? [] : foundIn(offers, text);
  const isSlug = data?.rows.some(({ slug }) => slug !== '' && slug === text.trim()) ?? false;
  const [active, choose] = useActive(found, offerOf(text, found));
  const nameFor = useNames(project, chosen, data?.rows ?? []);
  const add = (parts: readonly string[]): void => {
    setChosen([...new Set([...chosen, ...parts])]);
    setText('');
    refuse('');
    setMended(invalid);
  };
  const [refused, refuse] = useState('');
  /** What was said before something was chosen, which no key of a field takes away. */
  const [mended, setMended] = useState(noFieldError);
  const enter = useEntered(isPending, () => {
    const isKnown = offerOf(text, offers) !== undefined;
    const reason = isKnown ? '' : refusalOf(text, check) || (active ? '' : unwrittenWords(text));
    if (reason === '') add(active ? [active.written] : writtenIn(text, offers));
    else refuse(reason);
  });
  const said = invalid === mended ? noFieldError : invalid;
  const shown = refused === '' ? said : { field: 'depends_on', error: refused };
  const remove = (part: string): void => {
    setChosen(chosen.filter((one) => one !== part));
    field.current?.focus();
  };
  const take = (one: Offer): void => {
    add([one.written]);
    field.current?.focus();
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && (event.key !== 'Enter' || isSaveKey(event))) return;
    // Enter in it is never about the form, which it would submit.
    if (step === 0) event.preventDefault();
    if (text.trim() === '' || event.isComposing) return;
    event.preventDefault();
    if (step === 0) enter();
    else choose(step);
  };
  return (
    <>
      <input
        type="hidden"
        name="depends_on"
        value={[...chosen, ...sentIn(text, offers, check, found.length > 0 && !isSlug)].join(' ')}
      />
      <div class="field">
        <label htmlFor="depends-on">
          {labels.depends_on} <FieldNote>such as db or tag:core</FieldNote>
        </label>
        <Chosen parts={chosen} nameFor={nameFor} remove={remove} />
        <div class="generated">
          <input
            id="depends-on"
            ref={field}
            role="combobox"
            aria-expanded={found.length > 0}
            aria-controls="depends-found"
            aria-autocomplete="list"
            {...(active ? { 'aria-activedescendant': idOf(active) } : {})}
            autocomplete="off"
            placeholder="Find checks by name, slug or tag"
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              refuse('');
            }}
            onKeyDown={pressed}
            {...markedInvalid('depends_on', shown)}
          />
          <AddButton isOff={text.trim() === ''} add={enter} />
        </div>
        <Found {...{ found, active, take }} />
      </div>
      <UnknownSlugs
        project={project}
        chosen={chosen}
        typed={
          isPending || found.length > 0 || unwrittenWords(text) !== '' || offerOf(text, offersOf(data, ''))
            ? []
            : slugsIn(partsOf(text))
        }
      />
      <CircleWarning {...{ project, check, chosen }} />
      <p class="hint warned" role="status">
        {shown.error === '' &&
          [text, ...chosen].map((part) => refusalOf(part, check)).find((one) => one !== '')}
      </p>
      <FieldErrorText name="depends_on" invalid={shown} />
    </>
  );
}

/** What is wrong with what a check depends on, with these fields of it changed: it is the check itself, or names nothing. */
export function dependsErrors(
  fields: Readonly<Record<string, unknown>>,
  check: Partial<ApiCheck>,
): readonly FieldError[] {
  if (!('depends_on' in fields || 'slug' in fields)) return [];
  const { depends_on = '', slug = '', uuid: id = '' } = { ...check, ...fields };
  const parts = partsOf(String(depends_on));
  const isOwn = parts.some((part) => part === id || part === slug);
  if (parts.includes(unchosen)) return [{ field: 'depends_on', error: unchosenWords }];
  const error = isOwn ? ownWords : unwrittenWords(parts.filter((part) => !writtenForm.test(part)).join(' '));
  return error === '' ? [] : [{ field: 'depends_on', error }];
}

/** In the place of a text that finds checks none of which was chosen: which one is meant is not for the form to guess. */
const unchosen = '?';
const unchosenWords = 'Choose one of what was found, or clear the field.';

const ownWords = 'A check cannot hold back its own alerts.';

/** Why a text cannot be taken that is the check itself, by its name, slug or UUID; empty where it is not. */
function refusalOf(text: string, { name = '', slug = '', uuid: id = '' }: Partial<ApiCheck>): string {
  const words = text.trim();
  const isOwn =
    words !== '' && (words.toLowerCase() === name.toLowerCase() || words === slug || words === id);
  return isOwn ? ownWords : '';
}

const writtenForm = /^(?:[a-z0-9_-]+|tag:\S+)$/;

/** Why a text that fits no check cannot be taken as it is written; empty where it is slugs, UUIDs and tags. */
function unwrittenWords(text: string): string {
  const wrong = partsOf(text).filter((part) => !writtenForm.test(part));
  return wrong.length === 0
    ? ''
    : `No check has the name “${text.trim()}”, and a slug has no capitals, only a to z, digits, “-” and “_”.`;
}

const idOf = ({ written }: Offer): string => `depends-${written}`;

/** The checks and tags that fit the text, and whether those are not there yet: what is there is of the text before then. */
function useListed(project: string, text: string): { data: ListView | null; isPending: boolean } {
  const words = wordsOf(text);
  const query = new URLSearchParams({ sort: 'name', count: String(offeredMax), q: words });
  const { data, error } = useAsk<ListView>(`/web/in/${project}/list?${query}`);
  const last = useRef({ data, words: '' });
  if (last.current.data !== data) last.current = { data, words };
  return { data, isPending: error === '' && last.current.words !== words };
}

/** The suggestion that Enter takes: the one of that very name or slug, else the first, until the arrow keys choose another. */
function useActive(
  found: readonly Offer[],
  exact: Offer | undefined,
): readonly [active: Offer | undefined, choose: (step: number) => void] {
  const [chosen, setChosen] = useState('');
  const active = found.find(({ written }) => written === chosen) ?? exact ?? found[0];
  const choose = (step: number): void => {
    const next = found.at(((active ? found.indexOf(active) : -1) + step) % found.length);
    setChosen(next?.written ?? '');
  };
  return [active, choose];
}

function AddButton({ isOff, add }: { readonly isOff: boolean; readonly add: () => void }) {
  return (
    <button type="button" aria-disabled={isOff} onClick={() => isOff || add()}>
      Add<span class="hidden"> what the alerts wait for</span>
    </button>
  );
}

interface FoundProps {
  readonly found: readonly Offer[];
  readonly active: Offer | undefined;
  readonly take: (one: Offer) => void;
}

function Found({ found, active, take }: FoundProps) {
  if (found.length === 0) return null;
  return (
    <div id="depends-found" class="chips" role="listbox" aria-label="Found checks and tags">
      {found.map((one) => (
        <button
          key={one.written}
          id={idOf(one)}
          type="button"
          role="option"
          // The arrow keys of the field go through them.
          tabIndex={-1}
          aria-selected={one === active}
          class="chip"
          onClick={() => take(one)}
        >
          {one.words}
        </button>
      ))}
    </div>
  );
}

interface ChosenProps {
  readonly parts: readonly string[];
  readonly nameFor: (part: string) => string;
  readonly remove: (part: string) => void;
}

function Chosen({ parts, nameFor, remove }: ChosenProps) {
  if (parts.length === 0) return null;
  return (
    <ul class="plain chosen">
      {parts.map((part) => (
        <li key={part}>
          <span>{nameFor(part)}</span>
          <button type="button" class="symbol" onClick={() => remove(part)}>
            <Icon name="close" size={14} />
            <span class="hidden">Remove {nameFor(part)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function partsOf(written: string): readonly string[] {
  return [...new Set(written.split(/\s+/).filter((part) => part !== ''))];
}

/** The parts that are written by slug. */
function slugsIn(parts: readonly string[]): readonly string[] {
  return parts.filter((part) => !part.startsWith(tagPrefix) && !uuid.test(part)).slice(0, lookedUpMax);
}

interface UnknownProps {
  readonly project: string;
  readonly chosen: readonly string[];
  /** Slugs that are typed and fit no check, before they are added. */
  readonly typed: readonly string[];
}

/**
 * Names the slugs that no check has: one may be created later, but a slip would hold nothing back. Nothing is said of a slug while
 * the list has more checks that match than it was asked for.
 */
function UnknownSlugs({ project, chosen, typed }: UnknownProps) {
  const [known, setKnown] = useState<ReadonlyMap<string, boolean>>(new Map());
  const slugs = slugsIn(chosen);
  const wanted = slugs.filter((slug) => !known.has(slug)).join(' ');
  useEffect(() => {
    for (const slug of wanted === '' ? [] : wanted.split(' ')) {
      const query = new URLSearchParams({ sort: 'name', count: String(offeredMax), q: slug });
      const take = ({ rows }: ListView): void => {
        const isKnown = rows.length >= offeredMax || rows.some((row) => row.slug === slug);
        setKnown((before) => new Map([...before, [slug, isKnown]]));
      };
      ask<ListView>(`/web/in/${project}/list?${query}`).then(take, () => {});
    }
  }, [project, wanted]);
  const unknown = [...slugs.filter((slug) => known.get(slug) === false), ...typed];
  return (
    <p class="hint warned" role="status">
      {unknown.length > 0 &&
        `No check has the slug ${unknown.map((slug) => `“${slug}”`).join(', ')} yet: until one has, it holds nothing back.`}
    </p>
  );
}

interface FoundBy {
  readonly checks: readonly ApiCheck[];
}

interface CircleProps {
  readonly project: string;
  /** The check that is edited. */
  readonly check: Partial<ApiCheck>;
  /** Slugs, UUIDs and tags. */
  readonly chosen: readonly string[];
}

/**
 * Checks that depend on the very one that is to depend on them. That forbids nothing: the management API takes such a circle, in which one
 * check at least is not held back.
 */
function CircleWarning({ project, check, chosen }: CircleProps) {
  const [found, setFound] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const { uuid: own = '' } = check;
  const wanted = own === '' ? [] : chosen.slice(0, lookedUpMax);
  const unknown = wanted.filter((part) => !found.has(part)).join(' ');
  useEffect(() => {
    for (const part of unknown === '' ? [] : unknown.split(' ')) {
      const note = (checks: readonly ApiCheck[]): void => {
        const names = checks.filter((one) => dependsOn(one, check)).map(({ name, slug }) => name || slug);
        setFound((before) => new Map([...before, [part, names]]));
      };
      // Without an answer nothing is said: it can be saved either way.
      if (uuid.test(part))
        ask<ApiCheck>(apiPath(project, `checks/${part}`)).then(
          (one) => note([one]),
          () => {},
        );
      else
        ask<FoundBy>(apiPath(project, `checks/?${queryOf(part)}`)).then(
          ({ checks }) => note(checks),
          () => {},
        );
    }
  }, [project, own, unknown]);
  const names = [...new Set(wanted.flatMap((part) => found.get(part) ?? []))];
  return (
    <p class="hint warned" role="status">
      {names.length > 0 &&
        `${names.join(', ')} ${names.length === 1 ? 'depends' : 'depend'} on this check, too: if all of them go down, at least one still alerts.`}
    </p>
  );
}

function queryOf(part: string): string {
  return part.startsWith(tagPrefix)
    ? `tag=${encodeURIComponent(part.slice(tagPrefix.length))}&limit=${taggedMax}`
    : `slug=${encodeURIComponent(part)}`;
}

function dependsOn(one: ApiCheck, { uuid: id = '', slug = '', tags = '' }: Partial<ApiCheck>): boolean {
  if (one.uuid === id) return false;
  const own = [id, slug, ...tags.split(/\s+/).map((tag) => tagPrefix + tag)];
  return (one.depends_on ?? '').split(/\s+/).some((part) => part !== '' && own.includes(part));
}

/** What checks are searched for: a tag is offered by itself. */
function wordsOf(text: string): string {
  return text.startsWith(tagPrefix) ? '' : text.trim();
}

function offersOf(data: ListView | null, except: string): readonly Offer[] {
  const rows = (data?.rows ?? []).filter(({ id }) => id !== except);
  const count = new Map<string, number>();
  for (const { slug } of rows) count.set(slug, (count.get(slug) ?? 0) + 1);
  const checks = rows.map(({ id, name, slug }): Offer => {
    const hasOwnSlug = slug !== '' && count.get(slug) === 1;
    const isAlone = rows.filter((other) => other.name === name).length === 1;
    return {
      words: name === '' ? slug || id : isAlone ? name : `${name} (${slug || id})`,
      written: hasOwnSlug ? slug : id,
      names: hasOwnSlug ? [slug, id] : [id],
    };
  });
  const tags = (data?.tags ?? []).map(({ name }) => tagPrefix + name);
  return [...checks, ...tags.map((tag) => ({ words: tag, written: tag, names: [tag] }))];
}

/** The server has found the checks, by their slugs and tags, too; for a tag it was not asked for any. */
function isFound(words: string, text: string): boolean {
  const isCheck = !words.startsWith(tagPrefix);
  return isCheck ? !text.trim().startsWith(tagPrefix) : words.includes(text.trim().toLowerCase());
}

/** Returns the first that fit the text, those with the words that fit it best before the rest. */
function foundIn(offers: readonly Offer[], text: string): readonly Offer[] {
  const wanted = searchWords(text, text.length);
  const ranked = offers
    .filter(({ words }) => isFound(words, text))
    .map((offer) => ({ offer, rank: matchRank(foldCase(offer.words), wanted) }));
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, shownMax)
    .map(({ offer }) => offer);
}

function offerOf(text: string, offers: readonly Offer[]): Offer | undefined {
  const words = text.trim().toLowerCase();
  return offers.find((one) => one.words.toLowerCase() === words || one.written === words);
}

/** How the text is written: the check of that name, or the slugs, UUIDs and tags that it consists of. */
function writtenIn(text: string, offers: readonly Offer[]): readonly string[] {
  const offer = offerOf(text, offers);
  return offer ? [offer.written] : partsOf(text);
}

/** Its own name is sent as the check itself, so that it is refused as that and not as the words of its name. */
function sentIn(
  text: string,
  offers: readonly Offer[],
  check: Partial<ApiCheck>,
  isFound: boolean,
): readonly string[] {
  if (offerOf(text, offers)) return writtenIn(text, offers);
  if (refusalOf(text, check) !== '') return [check.uuid ?? ''];
  return isFound ? [unchosen] : writtenIn(text, offers);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns what says the name of a part. A check that was deleted is said to be so once that is known. */
function useNames(
  project: string,
  chosen: readonly string[],
  rows: readonly CheckRow[],
): (part: string) => string {
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  const wanted = chosen.filter((part) => uuid.test(part) && !known.has(part)).join(',');
  useEffect(() => {
    if (wanted === '') return;
    const take = (view: RowsView): void => {
      const names = new Map(view.rows.map((row) => [row.id, nameOf(row)]));
      const asked = wanted.split(',');
      setKnown(
        (before) =>
          new Map([...before, ...asked.map((id) => [id, names.get(id) ?? `Deleted check (${id})`] as const)]),
      );
    };
    // Without an answer the UUID is shown, which can be saved either way.
    ask<RowsView>(`/web/in/${project}/rows?ids=${wanted}`).then(take, () => {});
  }, [project, wanted]);
  return (part) => {
    if (part.startsWith(tagPrefix)) return `Tag ${part.slice(tagPrefix.length)}`;
    const row = rows.find(({ id, slug }) => id === part || slug === part);
    return row ? nameOf(row) : (known.get(part) ?? part);
  };
}
