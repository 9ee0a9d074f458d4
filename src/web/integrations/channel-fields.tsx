/**
 * The fields of an integration's form, as the table of its kind has them. `typed-fields` reads them.
 * Invariant: secrets stay on the server and are never shown; an error is shown at its field.
 */

import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import { type ChannelKind, getsAlerts } from '../../domain/accounts/project.ts';
import type { ChannelView } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { isAddress, keptContent } from '../../integrations/channel-form-value.ts';
import type { Form, FormField, SecondBoxChoice } from '../../integrations/contract/kind.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { Copyable } from '../ui/bits.tsx';
import { errorAt, type FieldError } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { BrowserField } from './browser-field.tsx';
import { ContentTypeOffer, jsonType } from './fields/content-type.tsx';
import { Generated } from './fields/generated.tsx';
import { KeptField } from './fields/kept-field.tsx';
import { Placeholders } from './fields/placeholders.tsx';
import { SecondBox } from './fields/second-box.tsx';
import { TemplateHints } from './fields/template-hints.tsx';
import { boxesOf } from './typed-fields.ts';
import { MatrixChatFinder } from './vendors/matrix-chat.tsx';
import { TelegramChatFinder } from './vendors/telegram-chat.tsx';

export type FormError = FieldError;

interface FieldsProps {
  readonly project: string;
  readonly kind: ChannelKind;
  /** False where this server lacks settings of the kind. */
  readonly canSend: boolean;
  /** Distinguishes the forms of a page. */
  readonly id: string;
  /** Integrations of the project, for groups. */
  readonly channels: readonly ChannelView[];
  /** Another way to add one, above what has to be typed. */
  readonly instead?: ComponentChildren;
  /** The integration that is changed, if there is one already. */
  readonly channel?: ChannelView;
  readonly invalid: FormError;
  /** Contents that the vendor has filled in, by the names of the fields. */
  readonly given?: Readonly<Record<string, string>>;
  /** The field of its name, below those that are needed. */
  readonly name?: ComponentChildren;
  /** What is below the first field. */
  readonly below?: ComponentChildren;
}

const finders = { 'telegram-chat': TelegramChatFinder, 'matrix-chat': MatrixChatFinder } as const;

export function ChannelFields(props: FieldsProps) {
  const { project, kind, canSend, id, channels, instead, channel, invalid, given, below, name } = props;
  const { help, steps, pasted, finder, fields, placeholders, boxesHelp, secondBox } = kinds[kind].form;
  const Finder = canSend && finder ? finders[finder] : null;
  const box = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [asked, setAsked] = useState<readonly string[]>([]);
  const textOf = ({ name, input, first = '' }: Partial<FormField> & Pick<FormField, 'name'>): string => {
    const kept = channel?.kept[name];
    if (kept !== undefined && input === 'headers') return keptLines(kept);
    return channel?.fields[name] ?? given?.[name] ?? first;
  };
  /** Adds the content type, as if it had been typed; headers that are kept are opened first. */
  const addLine = (field: FormField): void => {
    const before = (typed[field.name] ?? textOf(field)).trimEnd();
    const text = before === '' ? jsonType : `${before}\n${jsonType}`;
    setTyped({ ...typed, [field.name]: text });
    setAsked([...asked, field.name]);
    const shownField = box.current?.querySelector<HTMLTextAreaElement>(`textarea[name="${field.name}"]`);
    if (shownField) shownField.value = text;
    shownField?.focus();
  };
  const keep = (name: string): void => {
    const { [name]: _, ...others } = typed;
    setTyped(others);
    setAsked(asked.filter((one) => one !== name));
  };
  const shown = (field: FormField) => (
    <div key={field.name}>
      <Field
        field={field}
        id={`${id}-${field.name}`}
        text={asked.includes(field.name) ? (typed[field.name] ?? '') : textOf(field)}
        kept={channel?.kept[field.name] ?? null}
        isAsked={asked.includes(field.name)}
        keep={() => keep(field.name)}
        members={channels.filter((one) => one.kind !== 'group' && getsAlerts(one) && one.id !== channel?.id)}
        error={errorAt(invalid, field.name)}
      />
      {placeholders && (field.part === 'template' || field.inForm) && (
        <TemplateHints text={typed[field.name] ?? textOf(field)} isBody={field.inForm === true} />
      )}
      {field === fields[0] && below}
      {field.headersOf !== undefined && (
        <ContentTypeOffer
          body={typed[field.headersOf] ?? textOf({ name: field.headersOf })}
          headers={typed[field.name] ?? textOf(field)}
          add={() => addLine(field)}
        />
      )}
    </div>
  );
  const noteTyped = ({ target }: Event): void => {
    if (isNoted(target, fields)) setTyped({ ...typed, [target.name]: target.value });
  };
  const boxes = boxesOf(kind);
  const named = fields.findLastIndex(isNeeded) + 1;
  // The boxes are side by side where the first of them is; what has none comes before or after them.
  const firstBoxed = fields.findIndex(({ box }) => box !== undefined);
  const boxesAt = firstBoxed < 0 ? named : firstBoxed;
  return (
    <div ref={box} onInput={noteTyped}>
      {help !== undefined && <p class="faint">{help}</p>}
      {instead}
      {steps && !given && !channel && (
        <ol class="value-steps">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {placeholders && <Placeholders placeholders={placeholders} />}
      {pasted !== undefined && <Copyable text={pasted} />}
      {Finder && <Finder project={project} />}
      {fields
        .slice(0, boxesAt)
        .filter(({ box }) => box === undefined)
        .map(shown)}
      {boxes.length > 0 && (
        <Boxes boxes={boxes} help={boxesHelp} second={channel ? undefined : secondBox} shown={shown} />
      )}
      {name}
      {fields
        .slice(boxesAt)
        .filter(({ box }) => box === undefined)
        .map(shown)}
    </div>
  );
}

/** Fields whose text something beside them speaks of. */
function isNoted(
  target: EventTarget | null,
  fields: readonly FormField[],
): target is HTMLTextAreaElement | HTMLInputElement {
  if (target instanceof HTMLTextAreaElement) return true;
  return (
    target instanceof HTMLInputElement &&
    fields.some(({ name, part }) => name === target.name && part === 'template')
  );
}

interface BoxesProps {
  readonly boxes: ReturnType<typeof boxesOf>;
  readonly help: string | undefined;
  /** The words of the choice in the second of them, if there is one. */
  readonly second: Form['secondBox'];
  readonly shown: (field: FormField) => ComponentChildren;
}

function Boxes({ boxes, help, second, shown }: BoxesProps) {
  const [chosen, choose] = useState<SecondBoxChoice>('none');
  // It is about the fields of all boxes.
  const areAllShown = !second || chosen === 'other';
  return (
    <>
      {help !== undefined && areAllShown && <p>{help}</p>}
      <div class="halves">
        {boxes.map(({ title, fields }, at) => (
          <fieldset key={title}>
            <legend>{title}</legend>
            {at === 1 && second ? (
              <SecondBox words={second} {...{ chosen, choose }}>
                {fields.map(shown)}
              </SecondBox>
            ) : (
              fields.map(shown)
            )}
          </fieldset>
        ))}
      </div>
    </>
  );
}

/** Whether there is no integration without it: the fields in boxes are what a kind is about. */
function isNeeded({ required, box }: FormField): boolean {
  return required === true || box !== undefined;
}

/** Headers that are kept, as they are typed: `shown` has their names. */
function keptLines(shown: string): string {
  return shown
    .split(', ')
    .map((name) => `${name}: ${keptContent}`)
    .join('\n');
}

interface FieldProps {
  readonly field: FormField;
  readonly id: string;
  readonly text: string;
  /** What is shown of a value that is a secret; null if there is none. */
  readonly kept: string | null;
  /** Whether a secret field is opened with `text` in it. */
  readonly isAsked: boolean;
  readonly keep: () => void;
  readonly members: readonly ChannelView[];
  readonly error: string;
}

function Field(props: FieldProps) {
  const { field, id, text, kept, error, isAsked, keep } = props;
  if (field.input === 'tick')
    return (
      <>
        <label class="tick">
          <input
            type="checkbox"
            name={field.name}
            value="yes"
            defaultChecked={text !== ''}
            {...said(id, error, '')}
          />
          {field.label}
        </label>
        <FieldErrorText id={id} error={error} />
      </>
    );
  if (field.input === 'integrations') return <Members {...props} />;
  if (field.input === 'browser') return <BrowserField name={field.name} isNew={kept === null} />;
  const typed = (
    <Typed
      {...{ field, id, text, error }}
      isOptional={kept === null && !field.required && !field.inSomeBox}
      isKept={kept !== null}
    />
  );
  if (kept === null) return typed;
  const { name, label, required = false } = field;
  return (
    <KeptField
      {...{ id, name, label, required, isAsked }}
      shown={kept}
      isWrong={error !== ''}
      isFilled={text !== ''}
      kept={keep}
    >
      {typed}
    </KeptField>
  );
}

interface TypedProps extends Pick<FieldProps, 'field' | 'id' | 'text' | 'error'> {
  readonly isOptional: boolean;
  /** Whether there is a content already, which another one replaces. */
  readonly isKept: boolean;
}

/** A field that one types into, or chooses from. */
function Typed({ field, id, text, error, isOptional, isKept }: TypedProps) {
  const { label, input, help = '', replacing = '' } = field;
  const more = text.includes(keptContent) ? `${keptContent} keeps what a header contains.` : '';
  const hint = [help, isKept ? replacing : '', more].filter(Boolean).join(' ');
  return (
    <>
      <div class="field">
        <label htmlFor={id}>
          {label}
          {isOptional && input !== 'choice' && (
            <>
              {' '}
              <FieldNote isOptional />
            </>
          )}
        </label>
        <Input field={field} text={text} attributes={{ id, ...said(id, error, hint) }} />
      </div>
      {hint !== '' && (
        <p class="faint hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldErrorText id={id} error={error} />
    </>
  );
}

/** Returns the attributes that bind a field to what is said of it. */
function said(id: string, error: string, hint: string) {
  const ids = [hint === '' ? '' : `${id}-hint`, error === '' ? '' : `${id}-error`].filter(
    (one) => one !== '',
  );
  return {
    ...(ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {}),
    ...(error === '' ? {} : { 'aria-invalid': true as const }),
  };
}

function FieldErrorText({ id, error }: { readonly id: string; readonly error: string }) {
  return error === '' ? null : (
    <p class="problem" id={`${id}-error`} role="alert">
      {error}
    </p>
  );
}

interface InputProps {
  readonly field: FormField;
  readonly text: string;
  readonly attributes: object;
}

function Input({
  field: { name, input, choices = [], required, part, generates },
  text,
  attributes,
}: InputProps) {
  const rest = { name, ...attributes, ...(required ? { 'aria-required': true as const } : {}) };
  if (input === 'choice')
    return (
      <select {...rest}>
        {choices.map(([value, words]) => (
          <option key={value} value={value} selected={value === text}>
            {words}
          </option>
        ))}
      </select>
    );
  if (input === 'lines' || input === 'headers')
    return <textarea {...rest} rows={rowsFor(text)} defaultValue={text} spellcheck={false} />;
  const isUrl = isAddress(part);
  const line = (
    <input
      {...rest}
      defaultValue={text}
      autocomplete="off"
      spellcheck={false}
      inputMode={isUrl ? 'url' : part === 'mail' ? 'email' : part === 'phone' ? 'tel' : 'text'}
    />
  );
  const what = part === 'signing' ? part : generates;
  return what === undefined ? line : <Generated what={what}>{line}</Generated>;
}

const rowsMin = 2;
const rowsMax = 12;

/** A text that is there is seen as a whole, unless it is long. */
function rowsFor(text: string): number {
  return Math.min(rowsMax, Math.max(rowsMin, text.split('\n').length));
}

function Members({ field, id, text, members, error }: FieldProps) {
  const chosen = text.split(',');
  return (
    <fieldset {...(error === '' ? {} : { 'aria-describedby': `${id}-error` })}>
      <legend>{field.label}</legend>
      {members.length === 0 && <p class="faint">No integrations to choose from yet.</p>}
      {members.map((one) => (
        <label key={one.id} class="tick">
          <input
            type="checkbox"
            name={field.name}
            value={one.id}
            defaultChecked={chosen.includes(one.id)}
            {...(error === '' ? {} : { 'aria-invalid': true as const })}
          />
          {channelTitle(one)} <FieldNote>{titles[one.kind]}</FieldNote>
        </label>
      ))}
      <FieldErrorText id={id} error={error} />
    </fieldset>
  );
}
