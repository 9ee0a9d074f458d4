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
import type { FormError } from '../integrations/channel-fields.tsx';
import { Problem } from '../ui/bits.tsx';
import { useErrorInFocus } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { FoldedPart } from '../ui/folded-part.tsx';
import { changedOf, SaveButton, useUnchanged } from '../ui/unchanged.tsx';
import type { DraftService } from './service-row.tsx';
import { draftOf, lackingOf, nextService, ServiceFields, servicesOf } from './status-services.tsx';

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

const noError: FormError = { field: '', error: '' };

export function StatusPageForm(props: StatusPageFormProps) {
  const { page, path, urlStart, rows, firstCheck, saved, cancel } = props;
  const [services, setServices] = useState<readonly DraftService[]>(() =>
    page
      ? page.services.map(draftOf)
      : [{ ...nextService([]), name: '', by: firstCheck === '' ? 'checks' : 'tag' }],
  );
  const [invalid, setInvalid] = useState(noError);
  const box = useRef<HTMLFormElement>(null);
  useFirstField(box);
  useErrorInFocus(box, invalid);
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
      refuseIncomplete(fields, services);
      await send('POST', path, changesOf({ ...fields, services: servicesOf(services) }, opened));
      saved(`${page ? 'Saved' : 'Published'}: ${fields.title}.`);
    } catch (reason) {
      setInvalid({ field: reason instanceof Refusal ? reason.field : '', error: messageOf(reason) });
    }
  };
  const id = page?.id ?? 'new';
  const values: Partial<Record<TypedPageField, string>> = {
    title,
    slug: slug ?? slugOfTitle(title),
    ...(page ? {} : { timeZone: zoneName() }),
  };
  const errorOf = (field: string): string => (invalid.field === field ? invalid.error : '');
  const typed = (name: TypedPageField, value: string): void => {
    // The address may follow from the title.
    if (invalid.field === name || (name === 'title' && invalid.field === 'slug')) setInvalid(noError);
    if (name === 'title') setTitle(value);
    if (name === 'slug') setSlug(value);
  };
  const field = (name: TypedPageField) => (
    <Field
      key={name}
      {...{ name, id }}
      value={values[name] ?? page?.[name] ?? ''}
      error={errorOf(name)}
      typed={(value) => typed(name, value)}
      isControlled={name === 'title' || name === 'slug'}
      hint={
        name === 'slug' && (
          <UrlHint
            url={urlStart + (values.slug ?? '')}
            isOther={page !== null && values.slug !== page.slug}
            isToCome={slug === null && values.slug === ''}
          />
        )
      }
    />
  );
  const hasNoField = ![...typedPageFields, 'logo', 'password', 'services'].includes(invalid.field);
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
          change={(changed) => {
            setServices(changed);
            if (invalid.field === 'services') setInvalid(noError);
          }}
        />
        <MoreSettings {...{ page, id, field, errorOf }} timeZone={values.timeZone ?? page?.timeZone ?? ''} />
        <Problem text={hasNoField ? invalid.error : ''} />
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
  readonly errorOf: (name: string) => string;
}

/** The settings that few pages change. What they are is said in the line above them, also while it changes. */
function MoreSettings({ page, id, timeZone, field, errorOf }: MoreSettingsProps) {
  const box = useRef<HTMLDivElement>(null);
  const { hasLogo = false, hasPassword = false } = page ?? {};
  const [words, setWords] = useState(() =>
    settingWords({ timeZone, incidentsAfter: page?.incidentsAfter ?? '', hasLogo, hasPassword }),
  );
  const changed = (): void => {
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
  const isWrong = [...foldedFields, 'logo', 'password'].some((name) => errorOf(name) !== '');
  return (
    <FoldedPart title="More settings" words={words} isSet={false} isWrong={isWrong}>
      <div ref={box} onInput={changed} onChange={changed}>
        <div class="pair">{foldedFields.map(field)}</div>
        <p class="faint hint">
          Each day of the page begins at midnight in its time zone. Shorter outages still count in the bars
          and the percentage.
        </p>
        <div class="pair">
          <Logo id={id} hasLogo={hasLogo} error={errorOf('logo')} />
          <Password id={id} hasPassword={hasPassword} error={errorOf('password')} />
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

/** Throws `Refusal` for what the server takes, or has less to say about. */
function refuseIncomplete(
  fields: Readonly<Record<string, unknown>>,
  services: readonly DraftService[],
): void {
  if (fields.title === '') throw new Refusal('Give the page a title. Its address follows from it.', 'title');
  // The server takes a page without services, which a command may fill later. Of title and address it has more to say first.
  if (services.length === 0 && hasTitleAndAddress(fields))
    throw new Refusal('Add a service first: a page without one shows its readers nothing.', 'services');
}

function hasTitleAndAddress({ title, slug }: Readonly<Record<string, unknown>>): boolean {
  return title !== '' && statusPageSlugPattern.test(String(slug));
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

interface UrlHintProps {
  readonly url: string;
  readonly isOther: boolean;
  /** Whether it waits for the title. */
  readonly isToCome: boolean;
}

/** The URL as it will be, and what another one changes: a former address is not kept. */
function UrlHint({ url, isOther, isToCome }: UrlHintProps) {
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
  readonly error: string;
  readonly typed: (value: string) => void;
  /** It shows `value` whatever was typed: a field from which another one follows, and that one. */
  readonly isControlled: boolean;
  /** Said below it; false for nothing. */
  readonly hint: ComponentChildren;
}

function Field({ name, id, value, error, typed, isControlled, hint }: FieldProps) {
  const field = statusPageFields[name];
  const describedBy = `status-${id}-${name}-error`;
  const hintId = `status-${id}-${name}-hint`;
  const described = [...(error === '' ? [] : [describedBy]), ...(hint ? [hintId] : [])];
  const invalid = {
    'aria-invalid': error !== '',
    'aria-describedby': described.join(' ') || undefined,
  };
  return (
    <div>
      {field.kind === 'choice' ? (
        <label>
          {field.label}
          <select name={name} {...invalid} onChange={({ currentTarget }) => typed(currentTarget.value)}>
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
            {...invalid}
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
            {...invalid}
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
      <div id={describedBy}>
        <Problem text={error} />
      </div>
    </div>
  );
}

/** Of a text without line breaks, as a field of one line does. */
function sendOnEnter(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** Lines that were pasted become one. Returns it. */
function joinLines(field: HTMLTextAreaElement): string {
  if (/[\r\n]/.test(field.value)) field.value = field.value.replace(/\s*[\r\n]+\s*/g, ' ');
  return field.value;
}

function Logo({
  id,
  hasLogo,
  error,
}: {
  readonly id: string;
  readonly hasLogo: boolean;
  readonly error: string;
}) {
  return (
    <div>
      <label>
        {hasLogo ? 'Another logo' : 'Logo'} {!hasLogo && <FieldNote isOptional />}
        <input type="file" name="logo" accept="image/png,image/jpeg" aria-describedby={`status-${id}-logo`} />
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
      <Problem text={error} />
    </div>
  );
}

function Password({
  id,
  hasPassword,
  error,
}: {
  readonly id: string;
  readonly hasPassword: boolean;
  readonly error: string;
}) {
  return (
    <div>
      <label>
        {hasPassword ? 'New password for readers' : 'Password for readers'}{' '}
        {!hasPassword && <FieldNote isOptional />}
        <input
          type="password"
          name="password"
          autocomplete="new-password"
          aria-describedby={`status-${id}-password`}
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
      <Problem text={error} />
    </div>
  );
}
