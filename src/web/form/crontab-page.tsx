/** The page that makes checks from a crontab: one pastes it, sees what it would make, and creates what is ticked in one go. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { checkFieldLabels as labels } from '../../domain/check/check-field-labels.ts';
import { checkNameLengthMax, checkSecondsMax, checkSecondsMin, slugLengthMax } from '../../domain/limits.ts';
import type { CrontabCheckView, CrontabView, ProjectSettings } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { messageOf, send, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, crontabPage, go, remembered, useRemembered } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { zoneName } from '../core/time-style.ts';
import { leaveUnasked, mayLeave, useUnsaved } from '../core/typed.ts';
import { endSteps } from '../core/use-steps.ts';
import { type ApiCheck, apiPath } from '../rows/api-check.ts';
import { tagsHint, typedTags } from '../rows/typed-tags.ts';
import { withPings } from '../snippets/crontab-lines.ts';
import { NotAllowed, NotLoaded, Problem } from '../ui/bits.tsx';
import {
  type FieldError,
  FieldErrorText,
  markedInvalid,
  noFieldError,
  useErrorInFocus,
} from '../ui/field-error.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { say } from '../ui/toasts.tsx';
import { Channels } from './channels-field.tsx';
import { checkErrorOf, checkErrorWords } from './check-errors.ts';
import { CrontabLines, dropCrontab, keepCrontab, keptCrontab } from './crontab-lines.tsx';
import { type Chosen, CrontabTable, LeftOut, thereWords } from './crontab-table.tsx';
import { Span } from './expectation.tsx';
import { zoneTyped } from './zone-typed.ts';
import '../style/integrations.css';
import { FieldNote } from '../ui/field-note.tsx';
import '../style/crontab.css';

export function CrontabPage({ project, state, live, mayEdit }: PageProps) {
  const settings = useAsk<ProjectSettings>(`/web/in/${project}/settings`);
  useTab(live.summary, 'Checks from a crontab');
  if (!mayEdit)
    return (
      <NotAllowed title="Checks from a crontab" text="Your role is read-only. Ask an owner for access." />
    );
  if (!settings.data) return <NotLoaded text={settings.error} />;
  return (
    <>
      <PageHead list="Checks" href={addressOf(project, 'checks')} title="Checks from a crontab" />
      <Paste project={project} state={state} channels={settings.data.channels} />
    </>
  );
}

const example = '15 2 * * * backup.sh';

interface PasteProps {
  readonly project: string;
  readonly state: PageProps['state'];
  readonly channels: ProjectSettings['channels'];
}

/** The crontab with its pings where one goes back to it, or loads it again; the form otherwise. */
function Paste(props: PasteProps) {
  const { project } = props;
  const address = addressOf(project, 'new', crontabPage);
  const [kept, setKept] = useState(() => keptCrontab(project));
  useRemembered(() => Object.fromEntries(remembered()));
  useEffect(() => {
    const moved = (): void => {
      const again = location.pathname === address ? keptCrontab(project) : null;
      const show = (): void => setKept(again);
      if (again && mayLeave(show)) show();
    };
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  }, [project]);
  if (!kept) return <PasteForm {...props} />;
  return <CrontabLines project={project} done={kept} again={() => setKept(null)} />;
}

function PasteForm({ project, state, channels }: PasteProps) {
  const [text, setText] = useState('');
  const [tz, setTz] = useState(zoneName);
  const [hasUsers, setUsers] = useState<boolean | null>(null);
  const { view, error } = useCrontab(project, { text, tz, hasUsers });
  const users = view?.hasUsers ?? false;
  const [isDone, setDone] = useState(false);
  const [changes, setChanges] = useState<ReadonlyMap<number, Partial<Chosen>>>(new Map());
  const created = useCreation(project);
  const rows = rowsOf(view, created.urls, changes);
  const { untouched } = withPings(text, urlsToBe(state.baseUrl, rows), { hasUsers: users });
  const without = withoutCheck(rows, view, created);
  const done = { text, urls: created.urls, hasUsers: users, without };
  const box = useRef<HTMLFormElement>(null);
  const [invalid, setInvalid] = useState(noFieldError);
  const [graceS, setGrace] = useState<number | null>(null);
  useErrorInFocus(box, invalid);
  useUnsaved(() => text.trim() !== '' && created.urls.size === 0);
  useEffect(() => {
    if (done.urls.size > 0) keepCrontab(project, done);
  }, [created.urls]);
  const changeText = (typed: string): void => {
    setText(typed);
    if (typed.trim() === '') setUsers(null);
    setChanges(new Map());
    created.forget();
    setDone(false);
  };
  if (view && created.urls.size > 0 && (created.failed.size === 0 || isDone) && !created.busy)
    return <CrontabLines {...{ project, done }} again={() => changeText('')} />;
  const change = (line: number, to: Partial<Chosen>): void => {
    setChanges((before) => new Map(before).set(line, { ...before.get(line), ...to }));
    created.mended(line);
  };
  const hasNone = rows.length === 0 && created.urls.size === 0;
  const ticked = rows.filter(({ isTicked }) => isTicked);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const wrong = ticked.length > 0 ? wrongGraceIn(form) : missingIn(text, rows.length);
    if (ticked.length === 0 || wrong.error !== '') setInvalid(wrong);
    else void created.create(ticked, commonIn(new FormData(form)));
  };
  return (
    <form class="crontab" ref={box} onInput={() => setInvalid(noFieldError)} onSubmit={submit} noValidate>
      <p id="crontab-next" class="faint">
        The checks appear below as you paste. Nothing is created until you press Create checks; then you get
        your crontab back with a ping added to each job.
      </p>
      <Source
        {...{ text, tz, changeText }}
        invalid={error.field === 'tz' ? error : invalid}
        hasUsers={hasUsers ?? (view && view.checks.length > 0 ? view.hasUsers : null)}
        changeZone={setTz}
        changeUsers={setUsers}
      />
      <Problem text={error.field === '' ? error.error : ''} />
      <p class="hidden" role="status">
        {view ? foundWords(rows.length, view.leftOut.length) : ''}
      </p>
      {view && rows.length > 0 && (
        <CrontabTable {...{ project, rows, untouched, change, graceS, tz }} failed={created.failed} />
      )}
      {view && hasNone && <p>No job was found in it.</p>}
      {view && <LeftOut title="Left out" lines={view.leftOut} />}
      {rows.length > 0 && (
        <>
          <Common {...{ project, state, channels, invalid }} setGrace={setGrace} />
          <Problem text={failedWords([...created.failed.keys()], created.urls.size)} />
        </>
      )}
      <Problem text={invalid.field === '' ? invalid.error : ''} />
      <div class="actions">
        <button
          type="submit"
          class="main"
          aria-disabled={created.busy || hasNone}
          aria-describedby={hasNone ? 'crontab-next' : undefined}
        >
          {ticked.length === 0 ? 'Create checks' : createWords(ticked.length)}
        </button>
        {created.urls.size > 0 && (
          <button type="button" onClick={() => setDone(true)}>
            Go on without {created.failed.size === 1 ? 'it' : 'them'}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            leaveUnasked();
            go(addressOf(project, 'checks'));
          }}
        >
          {created.urls.size > 0 ? 'Show the checks' : 'Cancel'}
        </button>
      </div>
    </form>
  );
}

/** Returns the jobs that have no check yet, as they are changed. */
function rowsOf(
  view: CrontabView | null,
  urls: ReadonlyMap<number, string>,
  changes: ReadonlyMap<number, Partial<Chosen>>,
) {
  return (view?.checks ?? [])
    .filter(({ line }) => !urls.has(line))
    .map((row) => ({
      ...row,
      freeSlug: row.slug,
      isTicked: thereWords(row) === '',
      ...changes.get(row.line),
    }));
}

/** Returns ping URLs as long as those that the checks of the rows would get, by their lines. */
function urlsToBe(baseUrl: string, rows: readonly CrontabCheckView[]): ReadonlyMap<number, string> {
  return new Map(rows.map(({ line }) => [line, `${baseUrl}/ping/${zeroUuid}`]));
}

const zeroUuid = '00000000-0000-0000-0000-000000000000';

/** Returns the lines that have no check, in the order of the crontab, and why. */
function withoutCheck(
  rows: ReturnType<typeof rowsOf>,
  view: CrontabView | null,
  { failed, undone }: Pick<Creation, 'failed' | 'undone'>,
): CrontabView['leftOut'] {
  const jobs = rows.map((row) => ({
    line: row.line,
    text: row.command,
    reason:
      failed.get(row.line)?.error.replace(/\.$/, '') ||
      thereWords(row) ||
      (row.isTicked && undone.has(row.line) ? 'You took its check back' : 'You left it out'),
  }));
  return [...jobs, ...(view?.leftOut ?? [])].sort((one, other) => one.line - other.line);
}

/** Returns why nothing can be created. The jobs of a crontab appear a moment after it: until then there is nothing to say. */
function missingIn(text: string, rows: number): FieldError {
  if (text.trim() === '') return { field: 'crontab', error: 'Paste a crontab first.' };
  return rows === 0 ? noFieldError : { field: '', error: 'Tick at least one check.' };
}

/** Which lines are not right, and what became of the others. */
function failedWords(lines: readonly number[], created: number): string {
  if (lines.length === 0) return '';
  const of = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}`;
  return created === 0
    ? `Nothing was created: correct ${of} above.`
    : `No check was created for ${of}: see above.`;
}

function createWords(count: number): string {
  return count === 1 ? 'Create 1 check' : `Create ${count} checks`;
}

function foundWords(jobs: number, leftOut: number): string {
  const found = jobs === 1 ? '1 job found' : `${jobs} jobs found`;
  return leftOut === 0 ? `${found}.` : `${found}, ${leftOut === 1 ? '1 line' : `${leftOut} lines`} left out.`;
}

interface Asked {
  readonly text: string;
  readonly tz: string;
  /** Whether the crontab names users; null if that is to be recognized. */
  readonly hasUsers: boolean | null;
}

const typingMs = 250;

/** Asks, as one types, what the crontab would make. */
function useCrontab(project: string, { text, tz, hasUsers }: Asked) {
  const [view, setView] = useState<CrontabView | null>(null);
  const [error, setError] = useState(noFieldError);
  useEffect(() => {
    if (text.trim() === '') {
      setView(null);
      setError(noFieldError);
      return;
    }
    let current = true;
    const timer = setTimeout(() => {
      const body = { text, tz, ...(hasUsers === null ? {} : { hasUsers }) };
      send<CrontabView>('POST', `/web/in/${project}/crontab`, body).then(
        (answer) => {
          if (!current) return;
          setView(answer);
          setError(noFieldError);
        },
        (reason: unknown) => current && setError(sourceError(reason)),
      );
    }, typingMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [project, text, tz, hasUsers]);
  return { view, error };
}

/** What was refused is said at its field; what is known of the crontab stays. */
function sourceError(reason: unknown): FieldError {
  const [, named = '', said = ''] = /^(?:(text|tz): )?(.*)$/is.exec(messageOf(reason)) ?? [];
  const field = named.toLowerCase() === 'tz' || /^unknown time zone/i.test(said) ? 'tz' : '';
  return { field, error: capital(said) };
}

interface SourceProps {
  readonly text: string;
  readonly tz: string;
  readonly invalid: FieldError;
  /** Whether the crontab names users; null if it is not a question. */
  readonly hasUsers: boolean | null;
  readonly changeText: (text: string) => void;
  readonly changeZone: (tz: string) => void;
  readonly changeUsers: (hasUsers: boolean) => void;
}

function Source({ text, tz, invalid, hasUsers, changeText, changeZone, changeUsers }: SourceProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // The focus is set here and not by the attribute: a document heeds only the first.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <fieldset>
      <legend>Your jobs</legend>
      <label>
        Paste a crontab <FieldNote>what crontab -l prints, /etc/crontab, or a file of /etc/cron.d</FieldNote>
        <textarea
          ref={field}
          name="crontab"
          rows={8}
          spellcheck={false}
          autocomplete="off"
          placeholder={example}
          value={text}
          {...markedInvalid('crontab', invalid)}
          onInput={(event) => changeText(event.currentTarget.value)}
        />
      </label>
      <FieldErrorText name="crontab" invalid={invalid} />
      <label>
        Time zone of the machine <FieldNote>in which its cron runs; timedatectl shows it there</FieldNote>
        <input
          name="tz"
          list="crontab-zones"
          value={tz}
          autocomplete="off"
          {...markedInvalid('tz', invalid)}
          onInput={(event) => changeZone(zoneTyped(event.currentTarget.value))}
        />
      </label>
      <FieldErrorText name="tz" invalid={invalid} />
      <datalist id="crontab-zones">
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {hasUsers !== null && (
        <label class="tick">
          <input
            type="checkbox"
            checked={hasUsers}
            onChange={(event) => changeUsers(event.currentTarget.checked)}
          />
          Its sixth column is the user, as in /etc/crontab
        </label>
      )}
    </fieldset>
  );
}

interface CommonProps extends PasteProps {
  readonly invalid: FieldError;
  /** Called with the grace time for all, as it is typed; null for none. */
  readonly setGrace: (seconds: number | null) => void;
}

/** The fields that all new checks get. */
function Common({ project, state, channels, invalid, setGrace }: CommonProps) {
  return (
    <>
      <fieldset>
        <legend>For all of them</legend>
        <label>
          Tags <FieldNote isOptional>{tagsHint}</FieldNote>
          <input name="tags" maxLength={500} placeholder="cron" />
        </label>
        <Span
          name="grace"
          text={`${labels.grace} for all`}
          note="empty for what each line above says"
          seconds={null}
          invalid={invalid}
          typed={setGrace}
        />
      </fieldset>
      <Channels
        {...{ project, state, channels }}
        assigned={channels.filter(({ notForNew }) => !notForNew).map(({ id }) => id)}
      />
    </>
  );
}

function graceIn(form: FormData): number {
  return Math.round(Number(form.get('grace')) * Number(form.get('grace_unit')));
}

/** It is wrong for all of them, so it is said once. */
function wrongGraceIn(form: HTMLFormElement): FieldError {
  const field = form.elements.namedItem('grace');
  if (!(field instanceof HTMLInputElement)) return noFieldError;
  if (field.validity.badInput) return { field: 'grace', error: 'Enter a number.' };
  if (field.value === '') return noFieldError;
  const seconds = graceIn(new FormData(form));
  if (seconds >= checkSecondsMin && seconds <= checkSecondsMax) return noFieldError;
  const wrong = seconds < checkSecondsMin ? 'small' : 'large';
  return { field: 'grace', error: checkErrorWords(`grace is too ${wrong}`) };
}

function commonIn(form: FormData): Readonly<Record<string, unknown>> {
  return {
    tags: typedTags(String(form.get('tags') ?? '')),
    ...(form.get('grace') === '' ? {} : { grace: graceIn(form) }),
    channels: form.getAll('channel').join(','),
  };
}

/**
 * Creates the checks one after the other, so that the list has them in the order of the crontab. What was not created stays,
 * with the reason.
 */
type Creation = ReturnType<typeof useCreation>;

/** Returns what is wrong with the fields of the rows, by their lines. */
function wrongIn(rows: readonly Pick<CrontabCheckView, 'line' | 'name' | 'slug'>[]) {
  const wrong = new Map<number, FieldError>();
  for (const { line, name, slug } of rows) {
    if ([...name].length > checkNameLengthMax)
      wrong.set(line, { field: 'name', error: `Use at most ${checkNameLengthMax} characters.` });
    else if (!/^[a-z0-9_-]*$/.test(slug))
      wrong.set(line, { field: 'slug', error: 'A slug has only lower-case letters, digits, - and _.' });
    else if (slug.length > slugLengthMax)
      wrong.set(line, { field: 'slug', error: `Use at most ${slugLengthMax} characters.` });
  }
  return wrong;
}

function useCreation(project: string) {
  const [urls, setUrls] = useState<ReadonlyMap<number, string>>(new Map());
  const [failed, setFailed] = useState<ReadonlyMap<number, FieldError>>(new Map());
  /** Lines whose checks Undo has deleted again. */
  const [undone, setUndone] = useState<ReadonlySet<number>>(new Set());
  const [busy, setBusy] = useState(false);
  const create = async (
    rows: readonly CrontabCheckView[],
    common: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    if (busy) return;
    const wrong = wrongIn(rows);
    // One that is wrong is no reason for half of a crontab.
    if (wrong.size > 0) return setFailed(wrong);
    setBusy(true);
    const made = new Map<number, ApiCheck>();
    const errors = new Map<number, FieldError>();
    for (const { line, name, slug, schedule, tz, graceS: grace } of rows)
      await send<ApiCheck>('POST', apiPath(project, 'checks/'), {
        ...{ name, slug, schedule, tz, grace },
        ...common,
      }).then(
        (check) => made.set(line, check),
        (reason: unknown) => errors.set(line, checkErrorOf(reason)),
      );
    setBusy(false);
    setFailed(errors);
    setUrls(
      (before) =>
        new Map([...before, ...[...made].map(([line, check]) => [line, check.ping_url ?? ''] as const)]),
    );
    const undo = async (): Promise<void> => {
      await Promise.all(
        [...made.values()].map(({ uuid }) => send('DELETE', apiPath(project, `checks/${uuid}`))),
      );
      setUrls((before) => new Map([...before].filter(([line]) => !made.has(line))));
      setUndone((before) => new Set([...before, ...made.keys()]));
      dropCrontab(project);
    };
    if (made.size > 0) say(made.size === 1 ? '1 check created.' : `${made.size} checks created.`, undo);
    // With several checks the list is of more use than the first steps.
    if (made.size > 1) endSteps(project);
  };
  const forget = (): void => {
    setUrls(new Map());
    setFailed(new Map());
    setUndone(new Set());
  };
  /** What was said of a line that is changed is not said of what it is now. */
  const mended = (line: number): void =>
    setFailed((before) => new Map([...before].filter(([other]) => other !== line)));
  return { urls, failed, undone, busy, create, forget, mended };
}
