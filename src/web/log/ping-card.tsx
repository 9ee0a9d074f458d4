/** The card of where a check's pings go, by UUID or by slug, and how jobs send them. */
import { useRef, useState } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { useInnerWidth } from '../core/use-inner-width.ts';
import { SlugTwins, useSavedTwins } from '../form/slug-twins.tsx';
import { cronOfCalendar, cronOfInterval, isAnyCron, isCronInterval } from '../snippets/interval-cron.ts';
import type { SnippetOptions } from '../snippets/snippet.ts';
import { snippets } from '../snippets/snippets.ts';
import { Copyable, LocalOnly } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';

/** Snippets that most jobs use, the most usual first. */
export const inFront: readonly string[] = ['crontab', 'curl', 'systemd', 'Python', 'PowerShell', 'Email'];

/** Pixels of a line from which one tab more fits into it. */
const wideTabsPx = 340;

/** Pages of the manual with lines to copy. */
const guides: readonly (readonly [name: string, words: string])[] = [
  ['schedulers', 'schedulers'],
  ['languages', 'languages'],
  ['backups', 'backups'],
  ['routers-and-nas', 'routers and NAS'],
];

export interface PingUrl {
  readonly row: CheckRow;
  readonly url: string;
  readonly baseUrl: string;
  /** Ping key; null if there is none, or for those who may not see it. */
  readonly pingKey: string | null;
  /** Domain of mail addresses; null if no mail is taken. */
  readonly emailDomain: string | null;
}

interface PingCardProps extends PingUrl {
  readonly project: string;
}

export function PingCard(props: PingCardProps) {
  const { project, row, pingKey } = props;
  const hasSlug = row.slug !== '' && pingKey !== null;
  const [by, setBy] = useState<'uuid' | 'slug'>('uuid');
  const [picked, setPicked] = useState<string | null>(null);
  const options = optionsOf(props, hasSlug ? by : 'uuid');
  const twins = useSavedTwins(project, hasSlug && by === 'slug' ? row.slug : '', row.id);
  const chosen = picked ?? usualFor(row, options);
  const tabs = useRef<HTMLDivElement>(null);
  const front = tabsInFront(useInnerWidth(tabs), chosen);
  const isInFront = front.includes(chosen);
  const offered = snippets.flatMap(({ name, textOf }) => {
    const text = textOf(options);
    return text === null ? [] : [{ name, text }];
  });
  const text = offered.find(({ name }) => name === chosen)?.text ?? options.url;
  return (
    <section class="card ping-card">
      <div class="card-head">
        <h2>Ping URL</h2>
        <fieldset class="segments" aria-label="Name the check by">
          <button type="button" aria-pressed={by === 'uuid' || !hasSlug} onClick={() => setBy('uuid')}>
            UUID
          </button>
          <button
            type="button"
            aria-pressed={by === 'slug' && hasSlug}
            aria-disabled={!hasSlug}
            title={hasSlug ? undefined : noSlugWords(row)}
            onClick={() => hasSlug && setBy('slug')}
          >
            Slug
          </button>
        </fieldset>
      </div>
      <Copyable text={options.url} isAddress />
      <SlugTwins id="ping-slug-twins" words={twins} />
      <div class="tabs" ref={tabs}>
        {offered
          .filter(({ name }) => front.includes(name))
          .map(({ name }) => (
            <button key={name} type="button" aria-pressed={name === chosen} onClick={() => setPicked(name)}>
              {name}
            </button>
          ))}
        <Menu
          isRight
          class={isInFront ? '' : 'chosen'}
          label={
            <>
              <span>{isInFront ? 'More' : chosen}</span> <Icon name="down" size={14} />
            </>
          }
        >
          {offered
            .filter(({ name }) => !front.includes(name))
            .map(({ name }) => (
              <MenuItem key={name} isChosen={name === chosen} run={() => setPicked(name)}>
                {name}
              </MenuItem>
            ))}
        </Menu>
      </div>
      <Copyable text={text} />
      {chosen === 'Email' ? (
        <OnlyHere emailDomain={props.emailDomain} />
      ) : (
        <LocalOnly url={options.url} what="This address" />
      )}
      {ofCron.includes(chosen) && namesTimes(row, options) && <CronZone zone={options.tz} />}
      <p class="faint">
        Append <code>/start</code>, <code>/fail</code>, <code>/log</code> or an exit status to the URL. POST
        bodies are stored.
      </p>
      <Guides />
    </section>
  );
}

/** A schedule of systemd is of a timer. A call says nothing of times: it is right as it is where cron cannot say them. */
function usualFor({ kind }: CheckRow, { isCronExact }: SnippetOptions): string {
  if (kind === 'oncalendar') return 'systemd';
  return isCronExact ? 'crontab' : 'curl';
}

/** Below the address of a check: whether mail to it comes only from the machine that Knell runs on. */
export function OnlyHere({ emailDomain }: Pick<PingUrl, 'emailDomain'>) {
  if (emailDomain !== 'localhost') return null;
  return (
    <p class="faint">
      Mail arrives only from the machine of Knell until KNELL_SMTP and KNELL_EMAIL_DOMAIN are set:{' '}
      <a href={fromRoot('/docs/pinging#by-email')} target="_blank" rel="noreferrer">
        pings by email
      </a>
      .
    </p>
  );
}

/** Snippets that are a line of a crontab. */
const ofCron: readonly string[] = ['crontab', 'knell run'];

/** Whether the line is to run at times of a day, or on some days: in another zone they are others. */
function namesTimes({ kind }: CheckRow, { cron, isCronExact }: SnippetOptions): boolean {
  if (kind === 'simple' || !isCronExact) return false;
  const [minute = '', ...others] = cron.trim().split(/\s+/);
  return minute.startsWith('@') ? minute !== '@hourly' : others.some((field) => field !== '*');
}

/** Not a line of the snippet: it would hold for all that come after it in the file. */
function CronZone({ zone }: { readonly zone: string }) {
  return (
    <p class="faint cron-zone">
      Cron goes by the machine’s clock; this schedule is in {zone}. With cronie, <code>CRON_TZ={zone}</code>{' '}
      above the line sets it.
    </p>
  );
}

/**
 * Returns the snippets that have a tab, all in one line; the others are in the menu at its end. The name of one that is chosen from
 * there is longer than "More": it takes the place of the last tab.
 */
function tabsInFront(widthPx: number, chosen: string): readonly string[] {
  const most = widthPx < wideTabsPx ? 4 : 5;
  const front = inFront.slice(0, most);
  return front.includes(chosen) ? front : front.slice(0, -1);
}

function Guides() {
  const links = guides.map(([name, words]) => (
    <a key={name} href={fromRoot(`/docs/guide-${name}`)} target="_blank" rel="noreferrer">
      {words}
    </a>
  ));
  return (
    <p class="faint">More to copy: {links.flatMap((link, at) => (at === 0 ? [link] : [', ', link]))}.</p>
  );
}

function noSlugWords({ slug }: CheckRow): string {
  return slug === '' ? 'This check has no slug' : 'This project has no ping key';
}

export function optionsOf(props: PingUrl, by: 'uuid' | 'slug'): SnippetOptions {
  const { row, url, baseUrl, pingKey, emailDomain } = props;
  const key = pingKey ?? '';
  const box = by === 'uuid' ? row.id : `${key}+${row.slug}`;
  return {
    url: by === 'uuid' ? url : `${baseUrl}/ping/${key}/${row.slug}`,
    baseUrl,
    target: by === 'uuid' ? { by, uuid: row.id } : { by, pingKey: key, slug: row.slug },
    mail: emailDomain === null ? null : `${box}@${emailDomain}`,
    ...cronOf(row),
  };
}

/** When a job runs that pings as `row` expects, as cron says it. */
function cronOf({
  kind,
  timeoutS,
  schedule,
  tz,
}: CheckRow): Pick<SnippetOptions, 'cron' | 'isCronExact' | 'tz'> {
  if (kind === 'simple')
    return { cron: cronOfInterval(timeoutS), isCronExact: isCronInterval(timeoutS), tz: 'UTC' };
  if (kind === 'cron') return { cron: schedule.trim(), isCronExact: isAnyCron(schedule), tz };
  const same = cronOfCalendar(schedule);
  return same
    ? { cron: same.cron, isCronExact: true, tz: same.zone || tz }
    : { cron: '15 2 * * *', isCronExact: false, tz };
}
