/** The services of a status page in its form. Each has a public name, and chosen checks or a tag. */

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { statusPageBounds as bounds } from '../../domain/accounts/status-page-limits.ts';
import type { CheckRow, StatusServiceView } from '../../domain/views/page-view.ts';
import { Ticks } from '../form/check-choice.tsx';
import type { FormError } from '../integrations/channel-fields.tsx';
import { tagsOf } from '../rows/filter.ts';
import { Problem } from '../ui/bits.tsx';
import { TagChip } from '../ui/tag.tsx';

export interface DraftService extends StatusServiceView {
  readonly by: 'tag' | 'checks';
  /** Distinguishes the services while they have no id. */
  readonly key: number;
}

let lastKey = 0;

export function draftOf(service: StatusServiceView): DraftService {
  lastKey++;
  return { ...service, by: service.tag === '' ? 'checks' : 'tag', key: lastKey };
}

/** Returns the services as the server takes them. */
export function servicesOf(drafts: readonly DraftService[]): readonly Partial<StatusServiceView>[] {
  return drafts.map(({ id, name, by, tag, checks }) => ({
    id,
    name,
    ...(by === 'tag' ? { tag } : { checks }),
  }));
}

interface ServiceFieldsProps {
  readonly id: string;
  readonly services: readonly DraftService[];
  readonly rows: readonly CheckRow[];
  /** What is wrong with the form. */
  readonly invalid: FormError;
  readonly change: (services: readonly DraftService[]) => void;
}

export function ServiceFields({ id, services, rows, invalid, change }: ServiceFieldsProps) {
  const adding = useRef<HTMLButtonElement>(null);
  const focusNext = useFocusNext();
  const put = (place: number, part: Partial<DraftService>): void =>
    change(services.map((one, at) => (at === place ? { ...one, ...part } : one)));
  const move = (place: number, by: -1 | 1): void => {
    const [moved, other] = [services[place], services[place + by]];
    if (!moved || !other) return;
    focusNext(moveId(moved, by));
    change(services.map((one) => (one === moved ? other : one === other ? moved : one)));
  };
  const remove = (place: number): void => {
    const left = services.filter((_, at) => at !== place);
    const next = left[Math.min(place, left.length - 1)];
    focusNext(next ? removeId(next) : '');
    if (!next) adding.current?.focus();
    change(left);
  };
  // The name is neutral, since that of a check is not for the public.
  const add = (): void => {
    const added = draftOf({ id: '', name: `Service ${services.length + 1}`, checks: [], tag: '' });
    focusNext(nameId(added));
    change([...services, added]);
  };
  const tags = useMemo(() => tagsIn(rows), [rows]);
  const error = invalid.field === 'services' ? invalid.error : '';
  const errorId = `status-${id}-services-error`;
  useLayoutEffect(() => {
    if (error !== '' && services.length === 0) adding.current?.focus();
  }, [invalid]);
  return (
    <fieldset>
      <legend>Services</legend>
      <datalist id={tagsId(id)}>
        {tags.map(([tag, count]) => (
          <option key={tag} value={tag}>
            {checkWords(count)}
          </option>
        ))}
      </datalist>
      {services.map((service, place) => (
        <Service
          key={service.key}
          {...{ id, service, place, rows, tags }}
          isLast={place === services.length - 1}
          put={(part) => put(place, part)}
          move={(by) => move(place, by)}
          remove={() => remove(place)}
        />
      ))}
      <div id={errorId}>
        <Problem text={error} />
      </div>
      {services.length < bounds.servicesMax && (
        <button type="button" ref={adding} aria-describedby={error && errorId} onClick={add}>
          Add service
        </button>
      )}
    </fieldset>
  );
}

const tagsId = (id: string): string => `status-${id}-tags`;
const moveId = ({ key }: DraftService, by: -1 | 1): string => `service-${key}-${by < 0 ? 'up' : 'down'}`;
const nameId = ({ key }: DraftService): string => `service-${key}-name`;
const removeId = ({ key }: DraftService): string => `service-${key}-remove`;

/** Gives the focus to an element once what changes now is shown: what moves loses it, and what is gone had it. */
function useFocusNext(): (id: string) => void {
  const next = useRef('');
  useLayoutEffect(() => {
    if (next.current !== '') document.getElementById(next.current)?.focus();
    next.current = '';
  });
  return (id) => {
    next.current = id;
  };
}

/** Each tag with how many checks have it, the most used first. */
type Tags = readonly (readonly [tag: string, count: number])[];

function tagsIn(rows: readonly CheckRow[]): Tags {
  const counts = new Map<string, number>();
  for (const tag of rows.flatMap(tagsOf)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a, some], [b, others]) => others - some || a.localeCompare(b, 'en'));
}

function checkWords(count: number): string {
  return count === 1 ? '1 check' : `${count.toLocaleString()} checks`;
}

interface ServiceProps {
  readonly id: string;
  readonly service: DraftService;
  readonly place: number;
  readonly rows: readonly CheckRow[];
  readonly tags: Tags;
  readonly isLast: boolean;
  readonly put: (part: Partial<DraftService>) => void;
  readonly move: (by: -1 | 1) => void;
  readonly remove: () => void;
}

function Service({ id, service, place, rows, tags, isLast, put, move, remove }: ServiceProps) {
  return (
    <fieldset>
      <legend>{service.name || `Service ${place + 1}`}</legend>
      <label>
        Name for readers
        <input
          id={nameId(service)}
          value={service.name}
          maxLength={bounds.serviceNameCharsMax}
          onInput={(event) => put({ name: event.currentTarget.value })}
        />
      </label>
      <Kind service={service} put={put} />
      {service.by === 'tag' ? (
        <TagField {...{ id, tags }} tag={service.tag} put={(tag) => put({ tag })} />
      ) : (
        <Ticks
          rows={rows}
          chosen={service.checks}
          choose={(checks) => typeof checks !== 'string' && put({ checks })}
        />
      )}
      <div class="actions">
        <Move {...{ service, move }} by={-1} isOff={place === 0} />
        <Move {...{ service, move }} by={1} isOff={isLast} />
        <button type="button" id={removeId(service)} class="quiet" onClick={remove}>
          Remove<span class="hidden"> {service.name}</span>
        </button>
      </div>
    </fieldset>
  );
}

/** Chips of the tags that are shown at once; the field offers all of them. */
const tagChipsMax = 12;

interface TagFieldProps {
  readonly id: string;
  readonly tags: Tags;
  readonly tag: string;
  readonly put: (tag: string) => void;
}

/** A tag that no check has yet may be written, too: the service has its checks once they have it. */
function TagField({ id, tags, tag, put }: TagFieldProps) {
  const count = tags.find(([name]) => name === tag)?.[1] ?? 0;
  return (
    <>
      <label>
        Tag
        <input
          value={tag}
          list={tagsId(id)}
          maxLength={bounds.tagCharsMax}
          autocomplete="off"
          onInput={(event) => put(event.currentTarget.value)}
        />
      </label>
      {tags.length > 0 && (
        <fieldset class="chips" aria-label="Tags of this project">
          {tags.slice(0, tagChipsMax).map(([name, some]) => (
            <TagChip key={name} name={name} count={some} isChosen={name === tag} toggle={() => put(name)} />
          ))}
        </fieldset>
      )}
      <p class="faint hint" role="status">
        {tag.trim() === '' ? '' : count === 0 ? 'No check has this tag yet.' : `${checkWords(count)} now.`}
      </p>
    </>
  );
}

interface MoveProps {
  readonly service: DraftService;
  readonly by: -1 | 1;
  readonly isOff: boolean;
  readonly move: (by: -1 | 1) => void;
}

/** It is off without `disabled`, which would take the focus from it at the top and at the bottom. */
function Move({ service, by, isOff, move }: MoveProps) {
  const isUp = by < 0;
  return (
    <button
      type="button"
      id={moveId(service, by)}
      class="quiet"
      aria-disabled={isOff}
      title={isOff ? `It is the ${isUp ? 'first' : 'last'} already` : undefined}
      onClick={() => move(by)}
    >
      {isUp ? 'Move up' : 'Move down'}
      <span class="hidden"> {service.name}</span>
    </button>
  );
}

function Kind({
  service,
  put,
}: {
  readonly service: DraftService;
  readonly put: (part: Partial<DraftService>) => void;
}) {
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
            onChange={() => put({ by })}
          />
          {words}
        </label>
      ))}
    </div>
  );
}
