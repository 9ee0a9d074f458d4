/** The services of a status page in its form. Each has a public name, and chosen checks or a tag. */

import { useLayoutEffect, useRef } from 'preact/hooks';
import { statusPageBounds as bounds } from '../../domain/accounts/status-page-limits.ts';
import type { CheckRow, StatusServiceView } from '../../domain/views/page-view.ts';
import { Ticks } from '../form/check-choice.tsx';
import type { FormError } from '../integrations/channel-fields.tsx';
import { Problem } from '../ui/bits.tsx';

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
  const moveUp = (place: number): void => {
    const [above, moved] = services.slice(Math.max(0, place - 1), place + 1);
    if (!above || !moved) return;
    focusNext(upId(moved));
    change([...services.slice(0, place - 1), moved, above, ...services.slice(place + 1)]);
  };
  const remove = (place: number): void => {
    const left = services.filter((_, at) => at !== place);
    const next = left[Math.min(place, left.length - 1)];
    focusNext(next ? removeId(next) : '');
    if (!next) adding.current?.focus();
    change(left);
  };
  // The name is neutral, since that of a check is not for the public.
  const add = (): void =>
    change([...services, draftOf({ id: '', name: `Service ${services.length + 1}`, checks: [], tag: '' })]);
  const tags = [...new Set(rows.flatMap((row) => row.tags.split(/\s+/)))].filter((tag) => tag !== '').sort();
  const error = invalid.field === 'services' ? invalid.error : '';
  const errorId = `status-${id}-services-error`;
  useLayoutEffect(() => {
    if (error !== '' && services.length === 0) adding.current?.focus();
  }, [invalid]);
  return (
    <fieldset>
      <legend>Services</legend>
      <datalist id={tagsId(id)}>
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {services.map((service, place) => (
        <Service
          key={service.key}
          {...{ id, service, place, rows }}
          put={(part) => put(place, part)}
          moveUp={() => moveUp(place)}
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
const upId = ({ key }: DraftService): string => `service-${key}-up`;
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

interface ServiceProps {
  readonly id: string;
  readonly service: DraftService;
  readonly place: number;
  readonly rows: readonly CheckRow[];
  readonly put: (part: Partial<DraftService>) => void;
  readonly moveUp: () => void;
  readonly remove: () => void;
}

function Service({ id, service, place, rows, put, moveUp, remove }: ServiceProps) {
  const isFirst = place === 0;
  return (
    <fieldset>
      <legend>{service.name || `Service ${place + 1}`}</legend>
      <label>
        Name for readers
        <input
          value={service.name}
          maxLength={bounds.serviceNameCharsMax}
          onInput={(event) => put({ name: event.currentTarget.value })}
        />
      </label>
      <Kind service={service} put={put} />
      {service.by === 'tag' ? (
        <label>
          Tag
          <input
            value={service.tag}
            list={tagsId(id)}
            maxLength={100}
            onInput={(event) => put({ tag: event.currentTarget.value })}
          />
        </label>
      ) : (
        <Ticks
          rows={rows}
          chosen={service.checks}
          choose={(checks) => typeof checks !== 'string' && put({ checks })}
        />
      )}
      <div class="actions">
        {/* It is off without `disabled`, which would take the focus from it at the top. */}
        <button
          type="button"
          id={upId(service)}
          class="quiet"
          aria-disabled={isFirst}
          title={isFirst ? 'It is the first already' : undefined}
          onClick={moveUp}
        >
          Move up<span class="hidden"> {service.name}</span>
        </button>
        <button type="button" id={removeId(service)} class="quiet" onClick={remove}>
          Remove<span class="hidden"> {service.name}</span>
        </button>
      </div>
    </fieldset>
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
