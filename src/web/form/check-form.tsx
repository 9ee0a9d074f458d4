/**
 * The form of all that an owner sets of a check. Who saves it is for the pages.
 * Invariant: it sends the fields of a check that are changed, and every field of a new one, as the API names them.
 */

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CheckKind } from '../../domain/check/check.ts';
import { checkFieldLabels as labels } from '../../domain/check/check-field-labels.ts';
import { slugify } from '../../domain/check/slugify.ts';
import type { ChannelView, PageState } from '../../domain/views/page-view.ts';
import { Refusal } from '../core/calls.ts';
import { selectAll } from '../core/use-focus.ts';
import type { ApiCheck } from '../rows/api-check.ts';
import { nameOf } from '../rows/row-words.ts';
import { tagsHint, typedTags } from '../rows/typed-tags.ts';
import { Problem } from '../ui/bits.tsx';
import {
  allRefusedIn,
  type CrossedError,
  errorAt,
  type FieldError,
  FieldErrorText,
  isWrongIn,
  markedInvalid,
  togetherIn,
  useFieldErrors,
  withCrossed,
} from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { FoldedPart } from '../ui/folded-part.tsx';
import { SaveButton, useChanged, useUnchanged } from '../ui/unchanged.tsx';
import { AlertFields, alertErrorWords, alertFieldsOf, crossedAlertField } from './alert-fields.tsx';
import { Channels } from './channels-field.tsx';
import { draftErrors, errorsAfter } from './check-errors.ts';
import { dependsErrors } from './depends-field.tsx';
import { Expectation, otherKindWords } from './expectation.tsx';
import { detailWords, filterWords, type Inherited } from './folded-words.ts';
import { TextField } from './optional-inputs.tsx';
import { RetentionFields } from './retention-fields.tsx';
import { crossedRunField, RunFields, runErrorWords, runFieldsOf } from './run-fields.tsx';
import { SlugTwins, slugAfter, twinsError, useSlugTwins } from './slug-twins.tsx';
import '../style/integrations.css';

export interface CheckFormProps {
  readonly project: string;
  /** Values of the fields at first. */
  readonly check: Partial<ApiCheck>;
  readonly channels: readonly ChannelView[];
  /** What the project says where the check says nothing. */
  readonly inherited: Inherited;
  readonly state: PageState;
  readonly label: string;
  /** Saves the check; `isAnother` says that another one is to be created after it. */
  readonly save: (fields: Readonly<Record<string, unknown>>, isAnother: boolean) => Promise<void>;
  readonly cancel: () => void;
  /** Label of a second button, after which another check is created. */
  readonly another?: string;
  /** Whether the slug of a new check follows from its name, until somebody types another. */
  readonly proposesSlug?: boolean;
  /** What is shown above the buttons. `fields` says what the form would send now, and throws where it would not. */
  readonly above?: (fields: () => Readonly<Record<string, unknown>>) => ComponentChildren;
}

const flags = [
  'manual_resume',
  'filter_subject',
  'filter_body',
  'filter_http_body',
  'filter_default_fail',
] as const;
/** What says together when a ping is expected. */
export const expectation = ['timeout', 'schedule', 'tz'];
const texts = ['name', 'slug', 'desc', 'start_kw', 'success_kw', 'failure_kw'] as const;

/** Returns what the form says, as the API takes it, right or wrong. */
function fieldsOf(form: FormData, tagsBefore = ''): Readonly<Record<string, unknown>> {
  const text = (name: string): string => String(form.get(name) ?? '');
  return {
    ...Object.fromEntries(texts.map((name) => [name, text(name).trim()])),
    tags: typedTags(text('tags'), tagsBefore),
    ...filterFieldsOf(form),
    channels: form.getAll('channel').join(','),
    ...expectationIn(form),
    ...runFieldsOf(form),
    ...alertFieldsOf(form),
    retention: text('retention').trim(),
  };
}

/** Throws for an expression of another kind than the one that is chosen. */
function fieldsToSend(form: FormData): Readonly<Record<string, unknown>> {
  return { ...fieldsOf(form), ...expectationFields(form) };
}

function filterFieldsOf(form: FormData): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(flags.map((name) => [name, form.has(name)])),
    methods: form.has('methods') ? 'POST' : '',
  };
}

function kindIn(form: FormData): CheckKind {
  return String(form.get('kind') ?? '') as CheckKind;
}

/** Returns the part of a form that `Expectation` is. Throws for an expression of another kind than the one that is chosen. */
export function expectationFields(form: FormData): Readonly<Record<string, unknown>> {
  const other = otherKindWords(kindIn(form), String(form.get('schedule') ?? ''));
  if (other !== '') throw new Refusal(other, 'schedule');
  return expectationIn(form);
}

function expectationIn(form: FormData): Readonly<Record<string, unknown>> {
  const text = (name: string): string => String(form.get(name) ?? '');
  const seconds = (name: string): number => Math.round(Number(text(name)) * Number(text(`${name}_unit`)));
  return {
    ...(form.has('grace') ? { grace: seconds('grace') } : {}),
    ...(kindIn(form) === 'simple'
      ? { timeout: seconds('timeout') }
      : { schedule: text('schedule'), tz: text('tz') }),
  };
}

/** What is wrong with each field by itself, before anything is asked. */
function ownErrors(form: HTMLFormElement): readonly FieldError[] {
  const data = new FormData(form);
  const other = otherKindWords(kindIn(data), String(data.get('schedule') ?? ''));
  return [...allRefusedIn(form), { field: 'schedule', error: other }, ...zeroErrors(form)].filter(
    ({ error }) => error !== '',
  );
}

/** The API takes 0 for what is not set. Who types it means a number, and reads the same as for one below it. */
function zeroErrors(form: HTMLFormElement): readonly FieldError[] {
  return Array.from(form.elements).flatMap((field) => {
    if (!(field instanceof HTMLInputElement) || field.value.trim() === '') return [];
    if (Number(field.value) !== 0 || (field.type !== 'number' && field.inputMode !== 'numeric')) return [];
    const error = `${field.name} is too small`;
    return [{ field: field.name, error: runErrorWords(error) || alertErrorWords(error) }];
  });
}

/** The fields that make no sense together. */
function crossedErrors(form: HTMLFormElement): readonly (CrossedError | null)[] {
  const data = new FormData(form);
  return [crossedRunField(data), crossedAlertField(data)];
}

/** Fields by which an error of another one may be gone, once one of them is changed. */
const linked = [
  ['kind', 'timeout', 'schedule', 'tz'],
  ['grace', 'max_runtime', 'min_runtime'],
  ['alert_after', 'alert_of_last'],
  ['slug', 'depends_on'],
];

/** Returns the fields that were changed where something was typed in `target`. */
export function fieldsChangedBy(target: EventTarget | null): readonly string[] {
  const isField = target instanceof HTMLElement && target.closest('form') !== null;
  const name = isField ? (target.getAttribute('name') ?? target.id).replace('-', '_') : '';
  const field = name.replace(/_unit$/, '');
  return [field, ...(linked.find((names) => names.includes(field)) ?? [])];
}

export function CheckForm({
  project,
  check,
  channels,
  inherited,
  state,
  label,
  another,
  save,
  cancel,
  proposesSlug = false,
  above,
}: CheckFormProps) {
  const box = useRef<HTMLFormElement>(null);
  const { invalid, refuse, changed: noteChange } = useFieldErrors(box);
  useEffect(() => {
    // What is about no field is said above the buttons: a form that was sent by Enter may be far above them.
    if (invalid.error !== '' && invalid.field === '')
      box.current?.querySelector(':scope > .problem')?.scrollIntoView({ block: 'center' });
  }, [invalid]);
  const [isSame, look] = useUnchanged(box, check.uuid !== undefined);
  const changed = useChanged(box, (form) => fieldsOf(form, check.tags), check.uuid !== undefined);
  const [busy, setBusy] = useState(false);
  /** The slug of which somebody has read that pings by it would be refused. */
  const asked = useRef('');
  const twinErrors = async ({ slug }: Readonly<Record<string, unknown>>): Promise<readonly FieldError[]> => {
    if (typeof slug !== 'string' || slug === '' || slug === asked.current) return [];
    const error = await twinsError(project, slug, check.uuid);
    if (error === '') return [];
    asked.current = slug;
    return [{ field: 'slug', error }];
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const sent = event.currentTarget;
    if (busy || look() || !(sent instanceof HTMLFormElement)) return;
    const isAnother = event.submitter?.getAttribute('name') === 'another';
    const fields = changed(new FormData(sent), [expectation]);
    setBusy(true);
    const own = [...ownErrors(sent), ...dependsErrors(fields, check), ...(await twinErrors(fields))];
    const crossed = crossedErrors(sent);
    const errors =
      withCrossed(own, crossed).length > 0
        ? withCrossed([...own, ...(await draftErrors(project, fields))], crossed)
        : await save(fields, isAnother).then(
            () => [],
            (reason: unknown) => errorsAfter(reason, project, fields),
          );
    if (errors.length > 0) refuse(togetherIn(sent, errors));
    setBusy(false);
  };
  return (
    <form
      class="check-form"
      onSubmit={submit}
      // What was wrong there may be right now; the next attempt says. The rest stays until it is its turn.
      onInput={({ target }) => noteChange(fieldsChangedBy(target))}
      ref={box}
      noValidate
    >
      <Names {...{ project, check, invalid, proposesSlug }}>
        <Expectation
          check={check}
          invalid={invalid}
          changed={() => noteChange(['timeout', 'grace', 'schedule', 'tz'])}
        />
        <Channels {...{ project, channels, state }} assigned={(check.channels ?? '').split(',')} />
      </Names>
      <RunFields check={check} invalid={invalid} />
      <AlertFields project={project} check={check} invalid={invalid} />
      <RetentionFields {...{ project, check, inherited, invalid }} />
      <Filtering check={check} invalid={invalid} />
      {above?.(() => (box.current === null ? {} : fieldsToSend(new FormData(box.current))))}
      <Problem text={errorAt(invalid, '')} />
      <div class="actions">
        <SaveButton isSame={isSame} busy={busy}>
          {label}
        </SaveButton>
        {another !== undefined && (
          <button type="submit" name="another" aria-disabled={busy}>
            {another}
          </button>
        )}
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface NamesProps {
  readonly project: string;
  readonly check: Partial<ApiCheck>;
  readonly invalid: FieldError;
  readonly proposesSlug: boolean;
  /** What decides most, between the name and what is folded. */
  readonly children: ComponentChildren;
}

const detailFields: readonly string[] = ['slug', 'tags', 'desc'];

function Names({ project, check, invalid, children, ...props }: NamesProps) {
  const first = useRef<HTMLInputElement>(null);
  // A check that was saved without a name gets its slug with the name, as if it were new.
  const proposesSlug = props.proposesSlug || (!check.name && !check.slug);
  const [slug, setSlug] = useState(proposesSlug ? slugify(check.name ?? '') : (check.slug ?? ''));
  const [follows, setFollows] = useState(proposesSlug);
  const known = useSlugTwins(project, slug, check.uuid);
  const next = follows && known !== '' ? slugAfter(slug) : slug;
  // One that follows from the name takes the next that is free.
  const twins = next === slug ? known : '';
  useEffect(() => setSlug(next), [next]);
  // The focus is set here and not by the attribute: a document heeds only the first, however often the form is opened.
  useLayoutEffect(() => {
    first.current?.focus();
    selectAll(first.current);
  }, []);
  return (
    <>
      <fieldset>
        <legend>Details</legend>
        <label>
          {labels.name} <FieldNote isOptional />
          <input
            ref={first}
            name="name"
            defaultValue={check.name ?? ''}
            placeholder={nameOf({ name: '', slug })}
            onInput={({ currentTarget: { value } }) => follows && setSlug(slugify(value))}
            {...markedInvalid('name', invalid)}
          />
        </label>
        <FieldErrorText name="name" invalid={invalid} />
      </fieldset>
      {children}
      <FoldedPart
        title="More details"
        words={detailWords({ ...check, slug })}
        wordsIn={(form) => detailWords(Object.fromEntries(form))}
        isSet={false}
        isWrong={isWrongIn(invalid, detailFields)}
        // A slug that follows from the name may be one that another check has.
        caution={twins === '' ? '' : 'Another check has this slug'}
      >
        <Slug
          {...{ slug, twins, invalid, proposesSlug }}
          change={(value) => {
            setSlug(value);
            setFollows(false);
          }}
        />
        <label>
          {labels.tags} <FieldNote isOptional>{tagsHint}</FieldNote>
          <input name="tags" defaultValue={check.tags ?? ''} {...markedInvalid('tags', invalid)} />
        </label>
        <FieldErrorText name="tags" invalid={invalid} />
        <label>
          {labels.desc} <FieldNote isOptional />
          <textarea
            name="desc"
            rows={3}
            defaultValue={check.desc ?? ''}
            {...markedInvalid('desc', invalid)}
          />
        </label>
        <FieldErrorText name="desc" invalid={invalid} />
      </FoldedPart>
    </>
  );
}

interface SlugProps extends Pick<NamesProps, 'invalid' | 'proposesSlug'> {
  readonly slug: string;
  /** What is said where another check has it. */
  readonly twins: string;
  readonly change: (slug: string) => void;
}

function Slug({ slug, twins, change, invalid, proposesSlug }: SlugProps) {
  return (
    <>
      <label>
        {labels.slug} <FieldNote isOptional>for ping URLs: a–z, 0–9, - and _</FieldNote>
        <input
          name="slug"
          pattern="[a-z0-9_\-]*"
          title="Only lower-case letters, digits, - and _"
          value={slug}
          onInput={({ currentTarget: { value } }) => change(value)}
          aria-describedby={twins === '' ? 'slug-hint' : 'slug-hint slug-twins'}
          {...markedInvalid('slug', invalid)}
        />
      </label>
      <p class="faint hint" id="slug-hint">
        {proposesSlug && 'It follows from the name until you change it. '}A check without a slug can be pinged
        only by its UUID.
      </p>
      <FieldErrorText name="slug" invalid={invalid} />
      <SlugTwins id="slug-twins" words={errorAt(invalid, 'slug') === '' ? twins : ''} />
    </>
  );
}

const keywordFields = ['start_kw', 'success_kw', 'failure_kw'] as const;

function Filtering({ check, invalid }: Pick<NamesProps, 'check' | 'invalid'>) {
  const tick = (name: (typeof flags)[number], text: string) => (
    <label class="tick">
      <input type="checkbox" name={name} defaultChecked={check[name] ?? false} />
      {text}
    </label>
  );
  return (
    <FoldedPart
      title="Ping filters"
      words={filterWords(check)}
      wordsIn={(form) => filterWords(filterFieldsOf(form))}
      isSet={false}
      isWrong={isWrongIn(invalid, keywordFields)}
    >
      {tick('manual_resume', `${labels.manual_resume} (pings don't resume it)`)}
      <label class="tick">
        <input type="checkbox" name="methods" defaultChecked={check.methods === 'POST'} />
        {labels.methods} (so link previews and crawlers don't count as pings)
      </label>
      {tick('filter_subject', labels.filter_subject)}
      {tick('filter_body', labels.filter_body)}
      {tick('filter_http_body', labels.filter_http_body)}
      {tick('filter_default_fail', labels.filter_default_fail)}
      {keywordFields.map((name, at) => (
        <TextField
          key={name}
          name={name}
          label={labels[name]}
          {...(at === 0 ? { hint: 'comma-separated' } : {})}
          value={check[name] ?? ''}
          invalid={invalid}
        />
      ))}
    </FoldedPart>
  );
}
