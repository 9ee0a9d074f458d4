/** The services of a status page in its form. Each has a public name, and chosen checks or a tag. */

import { statusPageBounds as bounds } from '../../domain/accounts/status-page-limits.ts';
import type { CheckRow, StatusServiceView } from '../../domain/views/page-view.ts';
import { Ticks } from '../form/check-choice.tsx';

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
  readonly change: (services: readonly DraftService[]) => void;
}

export function ServiceFields({ id, services, rows, change }: ServiceFieldsProps) {
  const put = (place: number, part: Partial<DraftService>): void =>
    change(services.map((one, at) => (at === place ? { ...one, ...part } : one)));
  const swap = (place: number): void => {
    const [first, second] = services.slice(place, place + 2);
    if (first && second) change([...services.slice(0, place), second, first, ...services.slice(place + 2)]);
  };
  // The name is neutral, since that of a check is not for the public.
  const add = (): void =>
    change([...services, draftOf({ id: '', name: `Service ${services.length + 1}`, checks: [], tag: '' })]);
  const tags = [...new Set(rows.flatMap((row) => row.tags.split(/\s+/)))].filter((tag) => tag !== '').sort();
  return (
    <fieldset>
      <legend>Services</legend>
      <datalist id={`status-${id}-tags`}>
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {services.map((service, place) => (
        <fieldset key={service.key}>
          <legend>{service.name || `Service ${place + 1}`}</legend>
          <label>
            Name for readers
            <input
              value={service.name}
              maxLength={bounds.serviceNameCharsMax}
              onInput={(event) => put(place, { name: event.currentTarget.value })}
            />
          </label>
          <Kind service={service} put={(part) => put(place, part)} />
          {service.by === 'tag' ? (
            <label>
              Tag
              <input
                value={service.tag}
                list={`status-${id}-tags`}
                maxLength={100}
                onInput={(event) => put(place, { tag: event.currentTarget.value })}
              />
            </label>
          ) : (
            <Ticks
              rows={rows}
              chosen={service.checks}
              choose={(checks) => typeof checks !== 'string' && put(place, { checks })}
            />
          )}
          <div class="actions">
            {place > 0 && (
              <button type="button" class="quiet" onClick={() => swap(place - 1)}>
                Move up<span class="hidden"> {service.name}</span>
              </button>
            )}
            <button
              type="button"
              class="quiet"
              onClick={() => change(services.filter((one) => one !== service))}
            >
              Remove<span class="hidden"> {service.name}</span>
            </button>
          </div>
        </fieldset>
      ))}
      {services.length < bounds.servicesMax && (
        <button type="button" onClick={add}>
          Add service
        </button>
      )}
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
