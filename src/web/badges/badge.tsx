/** One badge: its picture, and what to paste where it is to be seen. Which badges there are is for the pages that show it. */

import { countedStatusOf } from '../../domain/check/shown-status.ts';
import type { BadgeUrls } from '../../domain/views/api-answers.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { shownStatusOfRow } from '../core/words.ts';
import { Copyable } from '../ui/bits.tsx';

const forms = {
  markdown: 'Markdown',
  html: 'HTML',
  url: 'URL',
  json: 'JSON URL',
  shields: 'shields.io URL',
} as const;
type Form = keyof typeof forms;
const names = Object.keys(forms) as Form[];

export interface Look {
  readonly form: Form;
  /** Whether late is a state of its own. */
  readonly three: boolean;
}

export const firstLook: Look = { form: 'markdown', three: false };

interface LookChoiceProps {
  readonly look: Look;
  readonly change: (look: Look) => void;
}

export function LookChoice({ look, change }: LookChoiceProps) {
  return (
    <div class="actions badge-look">
      <label>
        Format
        <select
          value={look.form}
          onChange={({ currentTarget: { value } }) =>
            change({ ...look, form: names.find((form) => form === value) ?? look.form })
          }
        >
          {names.map((form) => (
            <option key={form} value={form}>
              {forms[form]}
            </option>
          ))}
        </select>
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={look.three}
          onChange={() => change({ ...look, three: !look.three })}
        />
        Show “late” as a third state
      </label>
    </div>
  );
}

interface BadgeProps {
  /** Name of the row. */
  readonly name: string;
  /** Name of what the badge shows the status of. */
  readonly of: string;
  /** Text of the badge where the picture cannot be seen. */
  readonly label: string;
  readonly urls: BadgeUrls;
  readonly look: Look;
  /** What the badge does not show of its checks; empty for nothing. */
  readonly note: string;
  /** As of `pictureOf`. */
  readonly shows: string;
}

/** A row of the grid: its name, its picture and what to copy. */
export function Badge({ name, of, label, urls, look, note, shows }: BadgeProps) {
  return (
    <li>
      <span>
        <strong>{name}</strong>
        {note !== '' && <span class="faint"> {note}</span>}
      </span>
      <img
        src={pictureOf(look.three ? urls.svg3 : urls.svg, shows)}
        alt={`Status badge of ${of}`}
        height="20"
        loading="lazy"
      />
      <Copyable text={written(look, label, urls)} isAddress />
    </li>
  );
}

/** Why a check need not report; empty for one that does. One that was resumed is not new to anybody. */
export function silentWord(row: CheckRow): 'new' | 'waiting' | 'paused' | '' {
  const counted = countedStatusOf(shownStatusOfRow(row), row.nPings);
  return counted === 'new' || counted === 'waiting' || counted === 'paused' ? counted : '';
}

/**
 * Returns `6 down · counts 2 new, 1 paused as up`: how many are down, and how many have not reported, or need not. A badge counts these
 * as up, as those of Healthchecks do.
 */
export function countsWords(rows: Iterable<CheckRow>): string {
  const counts = { new: 0, waiting: 0, paused: 0 };
  let down = 0;
  for (const row of rows) {
    if (row.status === 'down') down++;
    const word = silentWord(row);
    if (word !== '') counts[word]++;
  }
  const silent = (['new', 'waiting', 'paused'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status].toLocaleString()} ${status}`)
    .join(', ');
  return [
    ...(down > 0 ? [`${down.toLocaleString()} down`] : []),
    ...(silent === '' ? [] : [`counts ${silent} as up`]),
  ].join(' · ');
}

/**
 * The address of the preview, which is loaded from where this page came. `shows`: another text for what it shows now. A document
 * keeps a picture for as long as its address is the same, whatever the server says of caches; the server ignores the text.
 */
export function pictureOf(url: string, shows: string): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.set('shows', shows);
  return `${pathname}?${searchParams}`;
}

/** What the badge of these checks shows. */
export function shownOf(rows: Iterable<CheckRow>): string {
  let [down, late, newestMs] = [0, 0, 0];
  for (const { status, sinceMs } of rows) {
    if (status === 'down') down++;
    if (status === 'grace') late++;
    newestMs = Math.max(newestMs, sinceMs);
  }
  return `${down} ${late} ${newestMs}`;
}

/** The same of one check, whose badge shows its name too. */
export function shownOfCheck(row: CheckRow): string {
  return `${row.status} ${row.sinceMs} ${row.name || row.slug}`;
}

/** The addresses of the badge of a project that is called as the project; its JSON has no label. */
export function labelled(urls: BadgeUrls, label: string): BadgeUrls {
  // A parenthesis would end the address in Markdown.
  const query = `?label=${encodeURIComponent(label).replaceAll('(', '%28').replaceAll(')', '%29')}`;
  const { svg, svg3, shields, shields3 } = urls;
  return {
    ...urls,
    svg: svg + query,
    svg3: svg3 + query,
    shields: shields + query,
    shields3: shields3 + query,
  };
}

export function written({ form, three }: Look, label: string, urls: BadgeUrls): string {
  if (form === 'json') return three ? urls.json3 : urls.json;
  if (form === 'shields') return three ? urls.shields3 : urls.shields;
  const url = three ? urls.svg3 : urls.svg;
  if (form === 'url') return url;
  const escaped = label.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return form === 'html'
    ? `<img src="${url}" alt="${escaped}">`
    : `![${label.replace(/[[\]\\]/g, '\\$&')}](${url})`;
}

/** All addresses of a check's badge. The management API gives only one of them, the drawn one with two states. */
export function urlsOfCheck(badgeUrl: string): BadgeUrls {
  const [, base = '', id = ''] = /^(.*\/b\/)2\/(.+)\.svg$/.exec(badgeUrl) ?? [];
  const address = (states: 2 | 3, format: string): string => `${base}${states}/${id}.${format}`;
  return {
    svg: address(2, 'svg'),
    svg3: address(3, 'svg'),
    json: address(2, 'json'),
    json3: address(3, 'json'),
    shields: address(2, 'shields'),
    shields3: address(3, 'shields'),
  };
}
