/**
 * A service of a status page in its form, as a row: its name, which checks it shows, and where it is in the order. It opens to a
 * name, and chosen checks or a tag.
 * Invariant: what is chosen is said in the row, whether it is open or not.
 */
import { statusPageBounds as bounds } from '../../domain/accounts/status-page-limits.ts';
import type { CheckRow, StatusServiceView } from '../../domain/views/page-view.ts';
import { checksWords } from '../core/words.ts';
import { Ticks } from '../form/check-choice.tsx';
import { nameOf } from '../rows/row-words.ts';
import { type FieldError, FieldErrorText, markedInvalid } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { Icon } from '../ui/icons.tsx';
import { Tag, TagChip } from '../ui/tag.tsx';

export interface DraftService extends StatusServiceView {
  readonly by: 'tag' | 'checks';
  /** Distinguishes the services while they have no id. */
  readonly key: number;
}

/** What may be wrong with a service, and what it is called in the errors of the form. */
export type ServicePart = 'name' | 'tag' | 'checks';
export const fieldOf = ({ key }: Pick<DraftService, 'key'>, part: ServicePart): string =>
  `service-${key}-${part}`;

export const tagsId = (id: string): string => `status-${id}-tags`;
export const moveId = ({ key }: DraftService, by: -1 | 1): string =>
  `service-${key}-${by < 0 ? 'up' : 'down'}`;
export const nameId = (service: DraftService): string => fieldOf(service, 'name');
export const editId = ({ key }: DraftService): string => `service-${key}-edit`;
export const partId = ({ key }: DraftService): string => `service-${key}-part`;

/** Each tag with how many checks have it, the most used first. */
export type Tags = readonly (readonly [tag: string, count: number])[];

interface ServiceRowProps {
  readonly id: string;
  readonly service: DraftService;
  readonly place: number;
  readonly rows: readonly CheckRow[];
  /** Whether the project is known to have no check. */
  readonly hasNoChecks: boolean;
  readonly tags: Tags;
  readonly isLast: boolean;
  /** Whether it is the only one of a new page: there is nothing else to open. */
  readonly isOnly: boolean;
  readonly isOpen: boolean;
  /** What is wrong with the form. */
  readonly invalid: FieldError;
  readonly open: (isOpen: boolean) => void;
  readonly put: (part: Partial<DraftService>) => void;
  readonly move: (by: -1 | 1) => void;
  readonly remove: () => void;
}

export function ServiceRow(props: ServiceRowProps) {
  const { id, service, place, rows, hasNoChecks, tags, isLast, isOnly, isOpen, invalid } = props;
  const { open, put, move, remove } = props;
  const name = service.name.trim() || `Service ${place + 1}`;
  return (
    <li>
      <strong>{service.name.trim() === '' && !isOpen ? <span class="bad">No name</span> : name}</strong>
      <Chosen {...{ service, rows, tags, isOpen }} />
      <span class="acts">
        {!(place === 0 && isLast) && (
          <>
            <Move {...{ service, name, move }} by={-1} isOff={place === 0} />
            <Move {...{ service, name, move }} by={1} isOff={isLast} />
          </>
        )}
        {!(isOnly && isOpen) && (
          <button
            type="button"
            id={editId(service)}
            class="quiet"
            aria-expanded={isOpen}
            aria-controls={isOpen ? partId(service) : undefined}
            onClick={() => open(!isOpen)}
          >
            {isOpen ? 'Done' : 'Edit'}
            <span class="hidden"> {name}</span>
          </button>
        )}
        <button type="button" class="symbol" title="Remove" onClick={remove}>
          <Icon name="trash" />
          <span class="hidden">Remove {name}</span>
        </button>
      </span>
      {isOpen && (
        <fieldset
          id={partId(service)}
          aria-label={name}
          onKeyDown={({ key, isComposing }) => {
            // The only one of a new page stays open.
            if (key === 'Escape' && !isComposing && !isOnly) open(false);
          }}
        >
          <label>
            Name for readers
            <input
              id={nameId(service)}
              value={service.name}
              placeholder="Such as Website"
              maxLength={bounds.serviceNameCharsMax}
              onInput={(event) => put({ name: event.currentTarget.value })}
              {...markedInvalid(fieldOf(service, 'name'), invalid)}
            />
          </label>
          <FieldErrorText name={fieldOf(service, 'name')} invalid={invalid} />
          <Kind {...{ service, hasNoChecks, put }} hasNoTags={tags.length === 0} />
          {service.by === 'tag' ? (
            <TagField {...{ id, tags, service, invalid }} put={(tag) => put({ tag })} />
          ) : (
            <Ticks
              rows={rows}
              chosen={service.checks}
              choose={(checks) => typeof checks !== 'string' && put({ checks })}
              field={fieldOf(service, 'checks')}
              invalid={invalid}
            />
          )}
        </fieldset>
      )}
    </li>
  );
}

/** Names that are shown of the checks of a row; one that is open shows more. */
const namesMax = 3;
const namesOpenMax = 24;

/** Which checks the service shows: those with a tag, or some by their names. */
function Chosen({
  service: { by, tag, checks },
  rows,
  tags,
  isOpen,
}: Pick<ServiceRowProps, 'service' | 'rows' | 'tags' | 'isOpen'>) {
  // While it is open, it is about to be chosen.
  const unset = `of ${isOpen ? '' : 'bad'}`;
  if (by === 'tag') {
    const wanted = tag.trim();
    if (wanted === '') return <span class={unset}>No tag chosen</span>;
    const count = tags.find(([one]) => one === wanted)?.[1] ?? 0;
    return (
      <span class="of">
        <Tag name={wanted} />
        <span class="faint">
          {count === 0 ? 'no check' : checksWords(count)} with this tag{count === 0 ? ' yet' : ''}
        </span>
      </span>
    );
  }
  if (checks.length === 0) return <span class={unset}>No check chosen</span>;
  const names = rows.filter(({ id }) => checks.includes(id)).map(nameOf);
  const shown = names.slice(0, isOpen ? namesOpenMax : namesMax);
  const more = checks.length - shown.length;
  return (
    <span class="of">
      {shown.map((one, at) => (
        <span key={at} class="check-chip">
          {one}
        </span>
      ))}
      {/* Where each is named, their number would say nothing. */}
      {more > 0 && (
        <span class="faint">
          {shown.length === 0 ? checksWords(more) : `and ${more.toLocaleString()} more`}
        </span>
      )}
    </span>
  );
}

/** Chips of the tags that are shown at once; the field offers all of them. */
const tagChipsMax = 12;

interface TagFieldProps extends Pick<ServiceRowProps, 'id' | 'tags' | 'service' | 'invalid'> {
  readonly put: (tag: string) => void;
}

/** A tag that no check has yet may be written, too: the service has its checks once they have it. */
function TagField({ id, tags, service, invalid, put }: TagFieldProps) {
  const { tag } = service;
  const isUnknown = tag.trim() !== '' && !tags.some(([name]) => name === tag.trim());
  const count = tags.find(([name]) => name === tag.trim())?.[1] ?? 0;
  const name = fieldOf(service, 'tag');
  const hintId = `${name}-hint`;
  const { 'aria-describedby': error = '', ...marked } = markedInvalid(name, invalid);
  return (
    <>
      <label>
        Tag
        <input
          value={tag}
          list={tagsId(id)}
          maxLength={bounds.tagCharsMax}
          autocomplete="off"
          aria-describedby={`${hintId} ${error}`.trim()}
          onInput={(event) => put(event.currentTarget.value)}
          {...marked}
        />
      </label>
      <FieldErrorText name={name} invalid={invalid} />
      {/* At the field, above the tags that there are. */}
      <p class={isUnknown ? 'hint warned' : 'faint hint'} id={hintId} role="status">
        {tag.trim() === '' ? '' : isUnknown ? 'No check has this tag yet.' : `${checksWords(count)} now.`}
      </p>
      {tags.length > 0 && (
        <fieldset class="chips" aria-label="Tags of this project">
          {tags.slice(0, tagChipsMax).map(([name, some]) => (
            <TagChip key={name} name={name} count={some} isChosen={name === tag} toggle={() => put(name)} />
          ))}
        </fieldset>
      )}
    </>
  );
}

interface MoveProps {
  readonly service: DraftService;
  readonly name: string;
  readonly by: -1 | 1;
  readonly isOff: boolean;
  readonly move: (by: -1 | 1) => void;
}

/** It is off without `disabled`, which would take the focus from it at the top and at the bottom. */
function Move({ service, name, by, isOff, move }: MoveProps) {
  const [words, end] = by < 0 ? ['Move up', 'first'] : ['Move down', 'last'];
  return (
    <button
      type="button"
      id={moveId(service, by)}
      class="symbol"
      aria-disabled={isOff}
      title={isOff ? `It is the ${end} already` : words}
      onClick={() => move(by)}
    >
      <Icon name={by < 0 ? 'up' : 'down'} />
      <span class="hidden">
        {words} {name}
      </span>
    </button>
  );
}

interface KindProps extends Pick<ServiceRowProps, 'service' | 'hasNoChecks' | 'put'> {
  /** Whether no check has a tag: one may be entered that checks will have. */
  readonly hasNoTags: boolean;
}

function Kind({ service, hasNoChecks, hasNoTags, put }: KindProps) {
  const kinds = [
    ['checks', 'Chosen checks'],
    ['tag', 'All checks with a tag'],
  ] as const;
  return (
    <div class="inline">
      {kinds.map(([by, words]) => (
        <label key={by} class="tick">
          <input
            type="radio"
            name={`by-${service.key}`}
            checked={service.by === by}
            disabled={by === 'checks' && hasNoChecks}
            onChange={() => put({ by })}
          />
          {words} {by === 'checks' && hasNoChecks && <FieldNote>this project has no check yet</FieldNote>}
          {by === 'tag' && hasNoTags && !hasNoChecks && <FieldNote>no check has one yet</FieldNote>}
        </label>
      ))}
    </div>
  );
}
