/**
 * The form of all that an owner sets of a status page but its notices.
 * Invariant: a password and a logo that are there are never shown.
 */
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import {
  statusPageFields,
  statusPageSlugPattern,
  type TypedPageField,
  typedPageFields,
} from '../../domain/accounts/status-page-fields.ts';
import { slugify } from '../../domain/check/slugify.ts';
import { logoBytesMax } from '../../domain/limits.ts';
import type { CheckRow, StatusPageView } from '../../domain/views/page-view.ts';
import { messageOf, Refusal, send } from '../core/calls.ts';
import { zoneName } from '../core/time-style.ts';
import { useUnsaved } from '../core/typed.ts';
import { useFirstField } from '../core/use-focus.ts';
import { zoneTyped } from '../form/zone-typed.ts';
import { Problem } from '../ui/bits.tsx';
import {
  errorAt,
  type FieldError,
  FieldErrorText,
  isWrongIn,
  joined,
  markedInvalid,
  nameTyped,
  useFieldErrors,
} from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { FoldedPart } from '../ui/folded-part.tsx';
import { isSaveKey } from '../ui/shortcuts.tsx';
import { changedOf, SaveButton, useUnchanged } from '../ui/unchanged.tsx';
import type { DraftService } from './service-row.tsx';
import {
  changedParts,
  draftOf,
  lackingOf,
  nextService,
  ServiceFields,
  serviceErrors,
  servicesOf,
} from './status-services.tsx';

interface StatusPageFormProps {
  /** The page; null for a new one. */
  readonly page: StatusPageView | null;
  readonly path: string;
  /** What comes before the slug in the URL of a page. */
  readonly urlStart: string;
  readonly rows: readonly CheckRow[];
  /** Where the first check of the project is made, if it is known to have none; empty otherwise. */
  readonly firstCheck: string;
  /** Called with words that say what was done. */
  readonly saved: (words: string) => void;
  readonly cancel: () => void;
}

/** What every page has, always in sight. The title is asked for first, since an address follows from it. */
const firstFields = ['title', 'slug', 'description'] as const satisfies readonly TypedPageField[];
/** What few pages change: folded, with what is set in its line. */
const foldedFields = typedPageFields.filter((name) => !firstFields.some((first) => first === name));

export function StatusPageForm(props: StatusPageFormProps) {
  const { page, path, urlStart, rows, firstCheck, saved, cancel } = props;
  const [services, setServices] = useState<readonly DraftService[]>(() =>
    page
      ? page.services.map(draftOf)
      : [{ ...nextService([]), name: '', by: firstCheck === '' ? 'checks' : 'tag' }],
  );
  const box = useRef<HTMLFormElement>(null);
  useFirstField(box);
  const { invalid, refuse, changed } = useFieldErrors(box);
  const [isFormSame, look] = useUnchanged(box, page !== null);
  const [opened] = useState({ page, services });
  const areServicesSame =
    JSON.stringify(servicesOf(services)) === JSON.stringify(servicesOf(opened.services));
  useUnsaved(() => !areServicesSame);
  const [title, setTitle] = useState(page?.title ?? '');
  // The address follows from the title until somebody writes another one.
  const [slug, setSlug] = useState<string | null>(page?.slug ?? null);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    if (look() && areServicesSame) return;
    try {
      const fields = await fieldsOf(new FormData(event.currentTarget));
      const wrong = ownErrors(fields, services);
      if (wrong.length > 0) return refuse(joined(wrong));
      await send('POST', path, changesOf({ ...fields, services: servicesOf(services) }, opened));
      saved(`${page ? 'Saved' : 'Published'}: ${fields.title}.`);
    } catch (reason) {
      refuse({ field: reason instanceof Refusal ? reason.field : '', error: messageOf(reason) });
    }
  };
  const id = page?.id ?? 'new';
  const values: Partial<Record<TypedPageField, string>> = {
    title,
    slug: slug ?? slugOfTitle(title),
    ...(page ? {} : { timeZone: zoneName() }),
  };
  const typed = (name: TypedPageField, value: string): void => {
    // The address may follow from the title.
    changed(name === 'title' ? ['title', 'slug'] : [name]);
    if (name === 'title') setTitle(value);
    if (name === 'slug') setSlug(value);
  };
  const field = (name: TypedPageField) => (
    <Field
      key={name}
      {...{ name, id }}
      value={values[name] ?? page?.[name] ?? ''}
      invalid={invalid}
      typed={(value) => typed(name, value)}
      isControlled={name === 'title' || name === 'slug'}
      hint={
        name === 'slug' && (
          <UrlHint
            {...{ urlStart }}
            slug={values.slug ?? ''}
            isOther={page !== null && values.slug !== page.slug}
            isToCome={slug === null && values.slug === ''}
          />
        )
      }
    />
  );
  return (
    <form class="check-form" onSubmit={submit} ref={box} noValidate>
      <fieldset>
        {/* The title of the page says it. */}
        <legend class="hidden">{page ? `Edit ${page.title}` : 'Create status page'}</legend>
        <div class="pair">
          {field('title')}
          {field('slug')}
        </div>
        {field('description')}
        <ServiceFields
          {...{ id, services, rows, firstCheck, invalid }}
          isNew={page === null}
          change={(next) => {
            setServices(next);
            changed(changedParts(services, next));
          }}
        />
        <MoreSettings
          {...{ page, id, field, invalid, changed }}
          timeZone={values.timeZone ?? page?.timeZone ?? ''}
        />
        <Problem text={errorAt(invalid, '')} />
        <Actions
          isNew={page === null}
          isSame={isFormSame && areServicesSame}
          wanted={page ? '' : wantedOf(title, services)}
          cancel={cancel}
        />
      </fieldset>
    </form>
  );
}

interface ActionsProps {
  readonly isNew: boolean;
  readonly isSame: boolean;
  readonly wanted: string;
  readonly cancel: () => void;
}

function Actions({ isNew, isSame, wanted, cancel }: ActionsProps) {
  const id = useId();
  return (
    <div class="actions">
      <SaveButton isSame={isSame} wantedBy={wanted === '' ? '' : id}>
        {isNew ? 'Publish' : 'Publish changes'}
      </SaveButton>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
      <span class="faint" id={id}>
        {wanted}
      </span>
    </div>
  );
}

interface MoreSettingsProps {
  readonly page: StatusPageView | null;
  readonly id: string;
  readonly timeZone: string;
  readonly field: (name: TypedPageField) => ComponentChildren;
  readonly invalid: FieldError;
  readonly changed: (names: readonly string[]) => void;
}

/** The settings that few pages change. What they are is said in the line above them, also while it changes. */
function MoreSettings({ page, id, timeZone, field, invalid, changed }: MoreSettingsProps) {
  const box = useRef<HTMLDivElement>(null);
  const { hasLogo = false, hasPassword = false } = page ?? {};
  const [words, setWords] = useState(() =>
    settingWords({ timeZone, incidentsAfter: page?.incidentsAfter ?? '', hasLogo, hasPassword }),
  );
  const noteWords = (): void => {
    const { form } = box.current?.querySelector('select') ?? {};
    if (!form) return;
    const fields = new FormData(form);
    const logo = fields.get('logo');
    setWords(
      settingWords({
        timeZone: String(fields.get('timeZone')).trim(),
        incidentsAfter: String(fields.get('incidentsAfter')),
        hasLogo: logo instanceof File && logo.size > 0 ? true : hasLogo && !fields.has('remove-logo'),
        hasPassword: fields.get('password') !== '' || (hasPassword && !fields.has('remove-password')),
      }),
    );
  };
  const noteChange = (event: Event): void => {
    changed([nameTyped(event).replace(/^remove-/, '')]);
    noteWords();
  };
  const isWrong = isWrongIn(invalid, [...foldedFields, 'logo', 'password']);
  return (
    <FoldedPart title="More settings" words={words} isSet={false} isWrong={isWrong}>
      <div ref={box} onInput={noteChange} onChange={noteChange}>
        <div class="pair">{foldedFields.map(field)}</div>
        <p class="faint hint">
          Each day of the page begins at midnight in its time zone. Shorter outages still count in the bars
          and the percentage.
        </p>
        <div class="pair">
          <Logo id={id} hasLogo={hasLogo} invalid={invalid} />
          <Password id={id} hasPassword={hasPassword} invalid={invalid} />
        </div>
      </div>
    </FoldedPart>
  );
}

interface SettingsSet {
  readonly timeZone: string;
  readonly incidentsAfter: string;
  readonly hasLogo: boolean;
  readonly hasPassword: boolean;
}

/** Returns `Europe/Berlin, all outages are incidents, no logo, no password`. */
function settingWords({ timeZone, incidentsAfter, hasLogo, hasPassword }: SettingsSet): string {
  const { choices } = statusPageFields.incidentsAfter;
  const outages = choices.find(([value]) => value === incidentsAfter)?.[1] ?? '';
  return [
    timeZone || 'no time zone',
    `${outages.toLowerCase()} listed`,
    hasLogo ? 'a logo' : 'no logo',
    hasPassword ? 'a password' : 'no password',
  ].join(', ');
}

/** Returns what is sent: of a page that is there, what has been changed since the form was opened. */
function changesOf(
  fields: Readonly<Record<string, unknown>>,
  { page, services }: { readonly page: StatusPageView | null; readonly services: readonly DraftService[] },
): Readonly<Record<string, unknown>> {
  return page ? changedOf(fields, { ...page, services: servicesOf(services) }) : fields;
}

/** Says what a new page lacks; empty once it has all. */
function wantedOf(title: string, services: readonly DraftService[]): string {
  const lacks = [...(title.trim() === '' ? ['a title'] : []), ...lackingOf(services)];
  return lacks.length === 0 ? '' : `Still missing: ${lacks.join(', ')}.`;
}

/** What is wrong with the form by itself, in the order of its fields. Some of it the server takes, or has less to say about. */
function ownErrors(
  { title, slug }: Readonly<Record<string, unknown>>,
  services: readonly DraftService[],
): readonly FieldError[] {
  const { charsMax } = statusPageFields.slug;
  const isSlug = statusPageSlugPattern.test(String(slug));
  return [
    ...(title === ''
      ? [{ field: 'title', error: 'Give the page a title. Its address follows from it.' }]
      : []),
    ...(isSlug || (title === '' && slug === '')
      ? []
      : [
          {
            field: 'slug',
            error: `Enter an address of at most ${charsMax} characters: a-z, 0-9 and hyphens between them, such as our-status`,
          },
        ]),
    ...(services.length > 0
      ? serviceErrors(services)
      : [
          {
            field: 'services',
            error: 'Add a service first: a page without one shows its readers nothing.',
          },
        ]),
  ];
}

/** Returns the fields that change; those that are not named stay as they are. */
async function fieldsOf(form: FormData): Promise<Readonly<Record<string, unknown>>> {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  const logo = form.get('logo');
  const password = String(form.get('password') ?? '');
  return {
    ...Object.fromEntries(typedPageFields.map((name) => [name, text(name)])),
    ...(form.has('remove-logo') ? { logo: '' } : {}),
    ...(logo instanceof File && logo.size > 0 ? { logo: await base64Of(logo) } : {}),
    ...(form.has('remove-password') ? { password: '' } : {}),
    ...(password === '' ? {} : { password }),
  };
}

async function base64Of(file: File): Promise<string> {
  // The server refuses it too, but what is larger need not be sent.
  if (file.size > logoBytesMax) throw new Refusal(`The logo has at most ${logoBytesMax / 1000} kB`, 'logo');
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Returns an address that the server takes. */
function slugOfTitle(title: string): string {
  const { charsMax } = statusPageFields.slug;
  return slugify(title)
    .replaceAll('_', '-')
    .slice(0, charsMax)
    .replace(/^-+|-+$/g, '');
}

interface UrlHintProps extends Pick<StatusPageFormProps, 'urlStart'> {
  readonly slug: string;
  readonly isOther: boolean;
  /** Whether it waits for the title. */
  readonly isToCome: boolean;
}

/** The URL as it will be, and what another one changes: a former address is not kept. */
function UrlHint({ urlStart, slug, isOther, isToCome }: UrlHintProps) {
  const url = urlStart + slug;
  if (/[^a-z0-9-]/.test(slug)) return <>An address has only a-z, 0-9 and hyphens between them.</>;
  if (isToCome)
    return (
      <>
        Follows from the title: <span class="url">{url}…</span>
      </>
    );
  return (
    <>
      <span class="url">{url}</span>
      {isOther && ' Links to the old address will no longer work.'}
    </>
  );
}

interface FieldProps {
  readonly name: TypedPageField;
  readonly id: string;
  readonly value: string;
  readonly invalid: FieldError;
  readonly typed: (value: string) => void;
  /** It shows `value` whatever was typed: a field from which another one follows, and that one. */
  readonly isControlled: boolean;
  /** Said below it; false for nothing. */
  readonly hint: ComponentChildren;
}

function Field({ name, id, value, invalid, typed, isControlled, hint }: FieldProps) {
  const field = statusPageFields[name];
  const hintId = `status-${id}-${name}-hint`;
  const marked = boundTo(name, invalid, hint ? hintId : '');
  return (
    <div>
      {field.kind === 'choice' ? (
        <label>
          {field.label}
          <select name={name} {...marked} onChange={({ currentTarget }) => typed(currentTarget.value)}>
            {field.choices.map(([one, words]) => (
              <option key={one} value={one} selected={one === value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      ) : name === 'description' ? (
        <label>
          {field.label} <FieldNote isOptional />
          <textarea
            name={name}
            class="sentence"
            rows={2}
            defaultValue={value}
            maxLength={field.charsMax}
            {...marked}
            onKeyDown={sendOnEnter}
            onInput={({ currentTarget }) => typed(joinLines(currentTarget))}
          />
        </label>
      ) : (
        <label>
          {field.label}
          <input
            name={name}
            {...(isControlled ? { value } : { defaultValue: value })}
            maxLength={field.charsMax}
            placeholder={name === 'title' ? 'Such as Example services' : undefined}
            {...marked}
            onInput={({ currentTarget }) => {
              if (field.kind === 'zone') currentTarget.value = zoneTyped(currentTarget.value);
              typed(currentTarget.value);
            }}
          />
        </label>
      )}
      {hint && (
        <p class="faint hint" id={hintId}>
          {hint}
        </p>
      )}
      <FieldErrorText name={name} invalid={invalid} />
    </div>
  );
}

/** Returns the attributes that bind a field to what is wrong with it, and to its hint; `hintId` is empty for none. */
function boundTo(name: string, invalid: FieldError, hintId: string) {
  const { 'aria-describedby': error = '', ...marked } = markedInvalid(name, invalid);
  return { ...marked, 'aria-describedby': `${error} ${hintId}`.trim() || undefined };
}

/** Of a text without line breaks, as a field of one line does. */
function sendOnEnter(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.isComposing || isSaveKey(event)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** Lines that were pasted become one. Returns it. */
function joinLines(field: HTMLTextAreaElement): string {
  if (/[\r\n]/.test(field.value)) field.value = field.value.replace(/\s*[\r\n]+\s*/g, ' ');
  return field.value;
}

interface LogoProps {
  readonly id: string;
  readonly hasLogo: boolean;
  readonly invalid: FieldError;
}

function Logo({ id, hasLogo, invalid }: LogoProps) {
  return (
    <div>
      <label>
        {hasLogo ? 'Another logo' : 'Logo'} {!hasLogo && <FieldNote isOptional />}
        <input
          type="file"
          name="logo"
          accept="image/png,image/jpeg"
          {...boundTo('logo', invalid, `status-${id}-logo`)}
        />
      </label>
      <p class="faint hint" id={`status-${id}-logo`}>
        PNG or JPEG of at most {logoBytesMax / 1000} kB.
      </p>
      {hasLogo && (
        <label class="tick">
          <input type="checkbox" name="remove-logo" />
          Remove the logo
        </label>
      )}
      <FieldErrorText name="logo" invalid={invalid} />
    </div>
  );
}

interface PasswordProps {
  readonly id: string;
  readonly hasPassword: boolean;
  readonly invalid: FieldError;
}

function Password({ id, hasPassword, invalid }: PasswordProps) {
  return (
    <div>
      <label>
        {hasPassword ? 'New password for readers' : 'Password for readers'}{' '}
        {!hasPassword && <FieldNote isOptional />}
        <input
          type="password"
          name="password"
          autocomplete="new-password"
          {...boundTo('password', invalid, `status-${id}-password`)}
        />
      </label>
      <p class="faint hint" id={`status-${id}-password`}>
        {hasPassword ? 'Leave empty to keep the current one.' : 'Without one, everybody can read the page.'}
      </p>
      {hasPassword && (
        <label class="tick">
          <input type="checkbox" name="remove-password" />
          Remove the password
        </label>
      )}
      <FieldErrorText name="password" invalid={invalid} />
    </div>
  );
}
