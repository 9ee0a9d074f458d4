/**
 * The form of all that an owner sets of a check. Who saves it is for the pages.
 * Invariant: it sends the fields of a check that are changed, and every field of a new one, as the API names them.
 */

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CheckKind } from '../../domain/check/check.ts';
import { checkFieldLabels as labels } from '../../domain/check/check-field-labels.ts';
import { slugify } from '../../domain/check/slugify.ts';
import { checkNameLengthMax, descLengthMax, slugLengthMax, tagsLengthMax } from '../../domain/limits.ts';
import type { ChannelView, PageState } from '../../domain/views/page-view.ts';
import { messageOf, Refusal } from '../core/calls.ts';
import type { ApiCheck } from '../rows/api-check.ts';
import { nameOf } from '../rows/row-words.ts';
import { Problem } from '../ui/bits.tsx';
import {
  type FieldError,
  FieldErrorText,
  markedInvalid,
  noFieldError,
  refusedIn,
  useErrorInFocus,
} from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { FoldedPart } from '../ui/folded-part.tsx';
import { SaveButton, useChanged, useUnchanged } from '../ui/unchanged.tsx';
import {
  AlertFields,
  alertErrorWords,
  alertFieldIn,
  alertFieldsOf,
  crossedAlertField,
} from './alert-fields.tsx';
import { Channels } from './channels-field.tsx';
import { Expectation, otherKindWords } from './expectation.tsx';
import { detailWords, filterWords, type Inherited } from './folded-words.ts';
import { RetentionFields, retentionErrorWords } from './retention-fields.tsx';
import { crossedRunField, RunFields, runErrorWords, runFieldIn, runFieldsOf } from './run-fields.tsx';
import { SlugTwins, useSlugTwins } from './slug-twins.tsx';
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
const texts = ['name', 'slug', 'tags', 'desc', 'start_kw', 'success_kw', 'failure_kw'] as const;

/** Returns what the form says, as the API takes it. */
function fieldsOf(form: FormData): Readonly<Record<string, unknown>> {
  const text = (name: string): string => String(form.get(name) ?? '');
  return {
    ...Object.fromEntries(texts.map((name) => [name, text(name).trim()])),
    ...filterFieldsOf(form),
    channels: form.getAll('channel').join(','),
    ...expectationFields(form),
    ...runFieldsOf(form),
    ...alertFieldsOf(form),
    retention: text('retention').trim(),
  };
}

/** Throws for fields that are valid, each by itself, and make no sense together. */
function refuseCrossed(form: FormData): void {
  for (const { field, error } of [crossedRunField(form), crossedAlertField(form)])
    if (error !== '') throw new Refusal(error, field);
}

function filterFieldsOf(form: FormData): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(flags.map((name) => [name, form.has(name)])),
    methods: form.has('methods') ? 'POST' : '',
  };
}

/** Returns the part of a form that `Expectation` is. Throws for an expression of another kind than the one that is chosen. */
export function expectationFields(form: FormData): Readonly<Record<string, unknown>> {
  const text = (name: string): string => String(form.get(name) ?? '');
  const seconds = (name: string): number => Math.round(Number(text(name)) * Number(text(`${name}_unit`)));
  const kind = text('kind') as CheckKind;
  const other = otherKindWords(kind, text('schedule'));
  if (other !== '') throw new Refusal(other, 'schedule');
  return {
    ...(form.has('grace') ? { grace: seconds('grace') } : {}),
    ...(kind === 'simple' ? { timeout: seconds('timeout') } : { schedule: text('schedule'), tz: text('tz') }),
  };
}

/** In characters. */
const longest = new Map([
  ['name', checkNameLengthMax],
  ['slug', slugLengthMax],
  ['tags', tagsLengthMax],
  ['desc', descLengthMax],
]);

const spans = { timeout: 'The interval', grace: 'The grace time' } as const;

/** Returns an error of the management API, with the field as the form calls it. */
export function checkErrorWords(error: string): string {
  const [, field = '', invalid = ''] = /^(timeout|grace) is too (small|large)$/i.exec(error) ?? [];
  if (field !== '') {
    const name = field.toLowerCase() === 'grace' ? spans.grace : spans.timeout;
    return `${name} must be ${invalid === 'small' ? 'at least one minute' : 'at most 365 days'}.`;
  }
  const charsMax = longest.get(/^(\w+) is too long$/i.exec(error)?.[1]?.toLowerCase() ?? '');
  if (charsMax !== undefined) return `At most ${charsMax.toLocaleString('en')} characters.`;
  if (/^tz /i.test(error)) return 'Unknown time zone. Choose one from the list, such as Europe/Berlin.';
  return error;
}

/** The fields that an error may name. */
const blamed = /^(name|slug|tags|desc|timeout|grace|schedule|tz)\b/i;

/** Returns what is said of an attempt to save, at the field that is wrong. */
export function checkErrorOf(reason: unknown): FieldError {
  const error = messageOf(reason);
  if (reason instanceof Refusal && reason.field !== '') return { field: reason.field, error };
  const ofRuns = runErrorWords(error);
  if (ofRuns !== '') return { field: runFieldIn(error), error: ofRuns };
  const ofAlerts = alertErrorWords(error);
  if (ofAlerts !== '') return { field: alertFieldIn(error), error: ofAlerts };
  const ofRetention = retentionErrorWords(error);
  if (ofRetention !== '') return { field: 'retention', error: ofRetention };
  return { field: blamed.exec(error)?.[1]?.toLowerCase() ?? '', error: checkErrorWords(error) };
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
  const [invalid, setInvalid] = useState(noFieldError);
  const box = useRef<HTMLFormElement>(null);
  useErrorInFocus(box, invalid);
  useEffect(() => {
    // What is about no field is said above the buttons: a form that was sent by Enter may be far above them.
    if (invalid.error !== '' && invalid.field === '')
      box.current?.querySelector(':scope > .problem')?.scrollIntoView({ block: 'center' });
  }, [invalid]);
  const [isSame, look] = useUnchanged(box, check.uuid !== undefined);
  const changed = useChanged(box, fieldsOf, check.uuid !== undefined);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy || look() || !(event.currentTarget instanceof HTMLFormElement)) return;
    const refused = refusedIn(event.currentTarget);
    if (refused.error !== '') return setInvalid(refused);
    setBusy(true);
    const form = new FormData(event.currentTarget);
    const isAnother = event.submitter?.getAttribute('name') === 'another';
    try {
      refuseCrossed(form);
      await save(changed(form, [expectation]), isAnother);
    } catch (reason) {
      setInvalid(checkErrorOf(reason));
    }
    setBusy(false);
  };
  return (
    <form
      class="check-form"
      onSubmit={submit}
      // What was wrong may be right now; the next attempt says.
      onInput={() => invalid.error !== '' && setInvalid(noFieldError)}
      ref={box}
      noValidate
    >
      <Names {...{ project, check, invalid, proposesSlug }}>
        <Expectation check={check} invalid={invalid} changed={() => setInvalid(noFieldError)} />
        <Channels {...{ project, channels, state }} assigned={(check.channels ?? '').split(',')} />
      </Names>
      <RunFields check={check} invalid={invalid} />
      <AlertFields project={project} check={check} invalid={invalid} />
      <RetentionFields {...{ project, check, inherited, invalid }} />
      <Filtering check={check} />
      {above?.(() => (box.current === null ? {} : fieldsOf(new FormData(box.current))))}
      <Problem text={invalid.field === '' ? invalid.error : ''} />
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

function Names({ project, check, invalid, proposesSlug, children }: NamesProps) {
  const first = useRef<HTMLInputElement>(null);
  const [slug, setSlug] = useState(proposesSlug ? slugify(check.name ?? '') : (check.slug ?? ''));
  const [follows, setFollows] = useState(proposesSlug);
  const twins = useSlugTwins(project, slug, check.uuid);
  // The focus is set here and not by the attribute: a document heeds only the first, however often the form is opened.
  useLayoutEffect(() => first.current?.focus(), []);
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
        // A slug that follows from the name may be one that another check has.
        isWrong={twins !== '' || detailFields.includes(invalid.field)}
      >
        <Slug
          {...{ slug, twins, invalid, proposesSlug }}
          change={(value) => {
            setSlug(value);
            setFollows(false);
          }}
        />
        <label>
          {labels.tags} <FieldNote isOptional>separated by spaces</FieldNote>
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
      <SlugTwins id="slug-twins" words={twins} />
    </>
  );
}

function Filtering({ check }: { readonly check: Partial<ApiCheck> }) {
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
      isWrong={false}
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
      <label>
        {labels.start_kw} <FieldNote>comma-separated</FieldNote>
        <input name="start_kw" maxLength={200} defaultValue={check.start_kw ?? ''} />
      </label>
      <label>
        {labels.success_kw}
        <input name="success_kw" maxLength={200} defaultValue={check.success_kw ?? ''} />
      </label>
      <label>
        {labels.failure_kw}
        <input name="failure_kw" maxLength={200} defaultValue={check.failure_kw ?? ''} />
      </label>
    </FoldedPart>
  );
}
