/** The services of a status page in its form: a row each, in the order in which readers see them. One at a time is open for editing. */

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { statusPageBounds as bounds } from '../../domain/accounts/status-page-limits.ts';
import type { CheckRow, StatusServiceView } from '../../domain/views/page-view.ts';
import { selectAll } from '../core/use-focus.ts';
import { checksWords } from '../core/words.ts';
import { tagsOf } from '../rows/filter.ts';
import { errorAt, type FieldError, FieldErrorText, isWrongIn } from '../ui/field-error.tsx';
import {
  type DraftService,
  editId,
  fieldOf,
  moveId,
  nameId,
  ServiceRow,
  type Tags,
  tagsId,
} from './service-row.tsx';

let lastKey = 0;

export function draftOf(service: StatusServiceView): DraftService {
  lastKey++;
  return { ...service, by: service.tag === '' ? 'checks' : 'tag', key: lastKey };
}

/** One more service. Its name is neutral, since that of a check is not for the public. */
export function nextService(services: readonly DraftService[]): DraftService {
  return draftOf({ id: '', name: `Service ${services.length + 1}`, checks: [], tag: '' });
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
  /** As of the form. */
  readonly firstCheck: string;
  /** Whether the page is a new one: then its first service is open. */
  readonly isNew: boolean;
  /** What is wrong with the form. */
  readonly invalid: FieldError;
  readonly change: (services: readonly DraftService[]) => void;
}

export function ServiceFields(props: ServiceFieldsProps) {
  const { id, services, rows, firstCheck, isNew, invalid, change } = props;
  const adding = useRef<HTMLButtonElement>(null);
  const focusNext = useFocusNext();
  /** The keys of those that are open: one at a time, but all that an attempt has found wrong. */
  const [open, setOpen] = useState<readonly number[]>(() =>
    isNew ? services.slice(0, 1).map(({ key }) => key) : [],
  );
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
    // Not what removes it: a key that is held would remove one after the other.
    const isOnlyOpen = isNew && left.length === 1 && next !== undefined && open.includes(next.key);
    focusNext(next ? (isOnlyOpen ? nameId(next) : editId(next)) : '');
    if (!next) adding.current?.focus();
    change(left);
  };
  const add = (): void => {
    const added = nextService(services);
    focusNext(nameId(added));
    setOpen([added.key]);
    change([...services, added]);
  };
  const tags = useMemo(() => tagsIn(rows), [rows]);
  const wrong = services.filter((one) => isWrongIn(invalid, partsOf(one))).map(({ key }) => key);
  // It stays open when its error goes.
  useLayoutEffect(() => {
    if (wrong.length > 0) setOpen((before) => [...new Set([...before, ...wrong])]);
  }, [wrong.join()]);
  const error = errorAt(invalid, 'services');
  useLayoutEffect(() => {
    if (invalid.field === 'services' && services.length === 0) adding.current?.focus();
  }, [invalid]);
  return (
    <fieldset>
      <legend>Services</legend>
      <datalist id={tagsId(id)}>
        {tags.map(([tag, count]) => (
          <option key={tag} value={tag}>
            {checksWords(count)}
          </option>
        ))}
      </datalist>
      <p class="faint hint">
        A service shows the status of its checks.
        {firstCheck !== '' && (
          <>
            {' '}
            <a href={firstCheck}>Create a check</a> first, or enter a tag that checks will have.
          </>
        )}
      </p>
      {services.length > 0 && (
        <ol class="service-rows">
          {services.map((service, place) => (
            <ServiceRow
              key={service.key}
              {...{ id, service, place, rows, tags }}
              hasNoChecks={firstCheck !== ''}
              isLast={place === services.length - 1}
              isOnly={isNew && services.length === 1}
              isOpen={open.includes(service.key) || wrong.includes(service.key)}
              invalid={invalid}
              open={(isOpen) => {
                focusNext(isOpen ? nameId(service) : editId(service));
                setOpen(isOpen ? [service.key] : open.filter((one) => one !== service.key));
              }}
              put={(part) => put(place, part)}
              move={(by) => move(place, by)}
              remove={() => remove(place)}
            />
          ))}
        </ol>
      )}
      {services.length === 0 && (
        <p class="faint hint">At least one: a name for readers, and the checks behind it.</p>
      )}
      <FieldErrorText name="services" invalid={invalid} />
      {services.length < bounds.servicesMax && (
        <button
          type="button"
          ref={adding}
          aria-describedby={error === '' ? undefined : 'services-error'}
          onClick={add}
        >
          Add service
        </button>
      )}
    </fieldset>
  );
}

function partsOf(service: DraftService): readonly string[] {
  return (['name', 'tag', 'checks'] as const).map((part) => fieldOf(service, part));
}

/** The fields that are about other things once `after` takes the place of `before`: what was said of them is over. */
export function changedParts(
  before: readonly DraftService[],
  after: readonly DraftService[],
): readonly string[] {
  const now = new Map(after.map((one) => [one.key, one]));
  const parts = before.flatMap((one) => {
    const next = now.get(one.key);
    if (next === undefined) return partsOf(one);
    return [
      ...(next.name === one.name ? [] : [fieldOf(one, 'name')]),
      ...(next.by === one.by && next.tag === one.tag ? [] : [fieldOf(one, 'tag')]),
      ...(next.by === one.by && next.checks === one.checks ? [] : [fieldOf(one, 'checks')]),
    ];
  });
  return ['services', ...parts];
}

/** What is wrong with each service, at its fields, in their order. */
export function serviceErrors(services: readonly DraftService[]): readonly FieldError[] {
  return services.flatMap((one) => {
    const { name, by, tag, checks } = one;
    const wrong = [
      [name.trim() === '', 'name', 'Enter a name for readers.'],
      [by === 'tag' && tag.trim() === '', 'tag', 'Enter a tag.'],
      [by === 'tag' && /\s/.test(tag.trim()), 'tag', 'A tag has no blanks.'],
      [by === 'checks' && checks.length === 0, 'checks', 'Choose at least one check, or all with a tag.'],
    ] as const;
    return wrong.flatMap(([isWrong, part, error]) => (isWrong ? [{ field: fieldOf(one, part), error }] : []));
  });
}

/** What services lack for the server to take them: `['a name of the service', 'its tag']`. */
export function lackingOf(services: readonly DraftService[]): readonly string[] {
  if (services.length === 0) return ['a service'];
  const isOne = services.length === 1;
  return [
    ...(services.some(({ name }) => name.trim() === '')
      ? [`a name of ${isOne ? 'the' : 'each'} service`]
      : []),
    ...(['tag', 'checks'] as const).flatMap((what) => {
      const names = namesWithout(what, services);
      if (names.length === 0) return [];
      return [isOne ? `its ${what}` : `the ${what} of ${listed(names)}`];
    }),
  ];
}

/** The names of the services that have none of what they are chosen by. */
function namesWithout(what: DraftService['by'], services: readonly DraftService[]): readonly string[] {
  return services.flatMap(({ name, by, tag, checks }, place) => {
    const isWithout = by === what && (by === 'tag' ? tag.trim() : checks).length === 0;
    return isWithout ? [name.trim() || `Service ${place + 1}`] : [];
  });
}

const namesListed = 2;

/** Returns `Cron`, `Cron and Mail` or `Cron, Mail and 3 more`. */
function listed(names: readonly string[]): string {
  const more = names.length - namesListed;
  if (more <= 0) return names.join(' and ');
  return `${names.slice(0, namesListed).join(', ')} and ${more} more`;
}

/** Gives the focus to an element once what changes now is shown: what moves loses it, and what is gone had it. */
function useFocusNext(): (id: string) => void {
  const next = useRef('');
  useLayoutEffect(() => {
    if (next.current !== '') {
      const field = document.getElementById(next.current);
      field?.focus();
      selectAll(field);
    }
    next.current = '';
  });
  return (id) => {
    next.current = id;
  };
}

function tagsIn(rows: readonly CheckRow[]): Tags {
  const counts = new Map<string, number>();
  for (const tag of rows.flatMap(tagsOf)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a, some], [b, others]) => others - some || a.localeCompare(b, 'en'));
}
