/**
 * The form of all that an owner sets of a status page but its notices.
 * Invariant: a password and a logo that are there are never shown.
 */
import { useRef, useState } from 'preact/hooks';
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
import { useFirstField } from '../core/use-focus.ts';
import { zoneTyped } from '../form/zone-typed.ts';
import type { FormError } from '../integrations/channel-fields.tsx';
import { Problem } from '../ui/bits.tsx';
import { useErrorInFocus } from '../ui/field-error.tsx';
import { type DraftService, draftOf, ServiceFields, servicesOf } from './status-services.tsx';

interface StatusPageFormProps {
  /** The page; null for a new one. */
  readonly page: StatusPageView | null;
  readonly path: string;
  readonly rows: readonly CheckRow[];
  readonly saved: () => void;
  readonly cancel: () => void;
}

/** The title is asked for first, since an address follows from it. */
const titleFirst: readonly TypedPageField[] = [
  'title',
  ...typedPageFields.filter((name) => name !== 'title'),
];

const noError: FormError = { field: '', error: '' };

export function StatusPageForm({ page, path, rows, saved, cancel }: StatusPageFormProps) {
  const [services, setServices] = useState<readonly DraftService[]>(() =>
    (page?.services ?? []).map(draftOf),
  );
  const [invalid, setInvalid] = useState(noError);
  const box = useRef<HTMLFormElement>(null);
  useFirstField(box);
  useErrorInFocus(box, invalid);
  const [title, setTitle] = useState(page?.title ?? '');
  // The address follows from the title until somebody writes another one.
  const [slug, setSlug] = useState<string | null>(page?.slug ?? null);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    try {
      const fields = await fieldsOf(new FormData(event.currentTarget));
      if (fields.title === '')
        throw new Refusal('Give the page a title. Its address follows from it.', 'title');
      // The server takes a page without services, which a command may fill later. Of title and address it has more to say first.
      if (services.length === 0 && hasTitleAndAddress(fields))
        throw new Refusal('Add a service first: a page without one shows its readers nothing.', 'services');
      await send('POST', path, { ...fields, services: servicesOf(services) });
      saved();
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
  const hasNoField = ![...titleFirst, 'logo', 'password', 'services'].includes(invalid.field);
  return (
    <form class="check-form" onSubmit={submit} ref={box} noValidate>
      <fieldset>
        <legend>{page ? `Edit ${page.title}` : 'Create status page'}</legend>
        {titleFirst.map((name) => (
          <Field
            key={name}
            name={name}
            id={id}
            value={values[name] ?? page?.[name] ?? ''}
            error={errorOf(name)}
            typed={(value) => {
              // The address may follow from the title.
              if (invalid.field === name || (name === 'title' && invalid.field === 'slug'))
                setInvalid(noError);
              if (name === 'title') setTitle(value);
              if (name === 'slug') setSlug(value);
            }}
            isControlled={name === 'title' || name === 'slug'}
          />
        ))}
        <Logo id={id} hasLogo={page?.hasLogo ?? false} error={errorOf('logo')} />
        <Password id={id} hasPassword={page?.hasPassword ?? false} error={errorOf('password')} />
        <ServiceFields
          {...{ id, services, rows, invalid }}
          change={(changed) => {
            setServices(changed);
            if (invalid.field === 'services') setInvalid(noError);
          }}
        />
        <Problem text={hasNoField ? invalid.error : ''} />
        <div class="actions">
          <button type="submit" class="main">
            {page ? 'Publish changes' : 'Publish'}
          </button>
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </div>
      </fieldset>
    </form>
  );
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

interface FieldProps {
  readonly name: TypedPageField;
  readonly id: string;
  readonly value: string;
  readonly error: string;
  readonly typed: (value: string) => void;
  /** It shows `value` whatever was typed: a field from which another one follows, and that one. */
  readonly isControlled: boolean;
}

function Field({ name, id, value, error, typed, isControlled }: FieldProps) {
  const field = statusPageFields[name];
  const describedBy = `status-${id}-${name}-error`;
  const invalid = {
    'aria-invalid': error !== '',
    'aria-describedby': error === '' ? undefined : describedBy,
  };
  return (
    <>
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
      ) : (
        <label>
          {field.label} {name === 'description' && <span class="faint">optional</span>}
          <input
            name={name}
            {...(isControlled ? { value } : { defaultValue: value })}
            maxLength={field.charsMax}
            {...invalid}
            onInput={({ currentTarget }) => {
              if (field.kind === 'zone') currentTarget.value = zoneTyped(currentTarget.value);
              typed(currentTarget.value);
            }}
          />
        </label>
      )}
      <div id={describedBy}>
        <Problem text={error} />
      </div>
    </>
  );
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
    <>
      <label>
        {hasLogo ? 'Another logo' : 'Logo'} {!hasLogo && <span class="faint">optional</span>}
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
    </>
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
    <>
      <label>
        {hasPassword ? 'New password for readers' : 'Password for readers'}{' '}
        {!hasPassword && <span class="faint">optional</span>}
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
    </>
  );
}
