/** The form of an integration: its name, the fields of its kind, when it is notified. Who saves it is for the pages. */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ChannelKind, defaultChannelSettings, getsAlerts } from '../../domain/accounts/project.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import type { FilledValue } from '../../domain/views/fill-view.ts';
import type { ChannelReplyView, ChannelView, PageState } from '../../domain/views/page-view.ts';
import { sentence } from '../../domain/words/sentence.ts';
import { fieldErrors, keptContent } from '../../integrations/channel-form-value.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { browserWords } from '../core/browser-words.ts';
import { messageOf, Refusal } from '../core/calls.ts';
import { zoneName } from '../core/time-style.ts';
import { selectAll } from '../core/use-focus.ts';
import { Problem } from '../ui/bits.tsx';
import { emptyWords, FieldErrorText, markedInvalid, nameTyped, togetherIn } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { ChannelFields, type FormError } from './channel-fields.tsx';
import { ChannelSettingsPart, settingErrors, settingErrorWords, settingsIn } from './channel-settings.tsx';
import type { Draft } from './draft.ts';
import { nothingSent } from './integration-health.ts';
import { isBrowser } from './kind-words.ts';
import { missingFirst, typedIn } from './typed-fields.ts';
import { missingWords } from './unconfigured.tsx';

export const noError: FormError = { field: '', error: '' };

export function formErrorOf(reason: unknown): FormError {
  return settingErrorWords({
    field: reason instanceof Refusal ? reason.field : '',
    error: requiredWords(messageOf(reason)),
  });
}

/** The label that is missing is beside the field: on a command line it has to be named. */
function requiredWords(error: string): string {
  return / is required\.$/.test(error) ? emptyWords : error;
}

interface TypedForm {
  readonly form: HTMLFormElement;
  readonly kind: ChannelKind;
  /** Whether it is for a new one, of which nothing is kept. */
  readonly isNew: boolean;
}

/**
 * Returns what an attempt to save was refused for, with every other field that is wrong: the server names the first. Of the fields of
 * its kind only those count that something is typed into, as others may keep what they have.
 */
export function formErrorsOf(reason: unknown, typed: TypedForm): FormError {
  const first = formErrorOf(reason);
  return first.field === '' ? first : togetherIn(typed.form, [first, ...errorsIn(typed, true)]);
}

/** Returns all that is wrong if something is that the server would not see, as an empty time; nothing otherwise. */
export function errorsBefore(typed: TypedForm): FormError {
  if (settingErrors(typed.form, false).length + nothingIn(typed).length === 0) return noError;
  return togetherIn(typed.form, errorsIn(typed, false));
}

function errorsIn({ form, kind, isNew }: TypedForm, isRefused: boolean): readonly FormError[] {
  const data = new FormData(form);
  const { fields } = typedIn(data, kind);
  const isTyped = (name: string): boolean => {
    const text = fields[name] ?? '';
    return isNew || (text !== '' && !text.includes(keptContent));
  };
  return [
    ...missingFirst(data, kind, fields),
    ...fieldErrors(kind, fields)
      .filter(({ field }) => isTyped(field))
      .map(({ field, error }) => ({ field, error: requiredWords(error) })),
    ...settingErrors(form, isRefused),
    ...nothingIn({ form, kind }),
  ];
}

/** The API takes such an integration; in a form it is a slip. */
function nothingIn({ form, kind }: Pick<TypedForm, 'form' | 'kind'>): readonly FormError[] {
  if (!getsAlerts({ kind })) return [];
  const data = new FormData(form);
  const settings = { ...defaultChannelSettings, ...settingsIn(data, { isNew: true }) };
  const why = nothingSent({ ...settings, kind, fields: typedIn(data, kind).fields });
  return why === '' ? [] : [{ field: 'events', error: `Nothing would be sent: ${uncapital(why)}.` }];
}

function uncapital(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** The field in which something was typed, and its twin in the other box, since one of the two may do. */
export function namesTyped(event: Event): readonly string[] {
  const name = nameTyped(event);
  const twin = name.replace(/(?<=^|_)(?:down|up)$/, (which) => (which === 'up' ? 'down' : 'up'));
  return [name, twin];
}

/**
 * Says why nothing will be sent, and what became of the email that asks an address to confirm; empty if there is nothing to say.
 */
export function replyWords({ verification, warning }: ChannelReplyView): string {
  const asked =
    verification === ''
      ? 'The address gets an email now; it gets alerts once it has confirmed.'
      : verification && sentence(`The verification email was not sent: ${verification}`);
  // Without a mail server the email was not sent for the same reason.
  const others = warning && verification !== '' ? '' : asked;
  return [warning && `Nothing will be sent: ${warning}.`, others].filter(Boolean).join(' ');
}

interface PartsProps {
  readonly project: string;
  readonly kind: ChannelKind;
  /** Integrations of the project, for groups. */
  readonly channels: readonly ChannelView[];
  /** Another way to add one, above what has to be typed. */
  readonly instead?: ComponentChildren;
  /** What is below the first field of its kind. */
  readonly below?: ComponentChildren;
  /** The integration that is changed, if there is one already. */
  readonly channel?: ChannelView;
  /** What was typed into the form of a new one before. */
  readonly typed?: Pick<Draft, 'name' | 'settings'>;
  readonly missing: PageState['missing'];
  readonly serverZone: string;
  readonly invalid: FormError;
  /** What the vendor has filled in. */
  readonly given?: FilledValue | undefined;
}

export function IntegrationParts(props: PartsProps) {
  const { project, kind, channels, channel, typed, missing, serverZone, invalid, instead, below, given } =
    props;
  const box = useRef<HTMLFieldSetElement>(null);
  // Before another key comes: it would go to what had the focus until then.
  useLayoutEffect(() => {
    const first = box.current?.querySelector<HTMLElement>('.field :is(input, textarea)') ?? null;
    first?.focus();
    if (channel) selectAll(first);
  }, []);
  const unsent = missingWords(kind, missing);
  const id = channel?.id ?? 'new';
  const more = { ...(channel ? { channel } : {}), ...(given ? { given: given.fields } : {}) };
  return (
    <>
      <Problem
        text={
          unsent === '' || channel
            ? ''
            : `${unsent}, which this server does not have: nothing is sent until then.`
        }
      />
      <fieldset ref={box}>
        <legend>{titles[kind]}</legend>
        <ChannelFields
          {...{ project, kind, id, channels, invalid, instead, below, ...more }}
          canSend={unsent === ''}
          name={
            <NameField
              id={`${id}-name`}
              name={(channel ?? typed)?.name ?? ''}
              invalid={invalid}
              usual={isBrowser(kind) && !channel ? browserWords(navigator.userAgent) : ''}
            />
          }
        />
      </fieldset>
      {getsAlerts({ kind }) && (
        <ChannelSettingsPart
          id={id}
          invalid={invalid}
          serverZone={serverZone}
          settings={
            channel ?? { ...defaultChannelSettings, timeZone: ownZone(serverZone), ...typed?.settings }
          }
        />
      )}
    </>
  );
}

/** Who adds an integration reads its messages on the same clock as the page; empty where that is the server's, which they have then. */
function ownZone(serverZone: string): string {
  const zone = zoneName();
  return zone === serverZone ? '' : zone;
}

interface NameProps {
  readonly id: string;
  readonly name: string;
  /** What it is called if nothing is typed; empty for its kind. */
  readonly usual: string;
  readonly invalid: FormError;
}

function NameField({ id, name, usual, invalid }: NameProps) {
  const { 'aria-describedby': error = '', ...marked } = markedInvalid('name', invalid);
  return (
    <>
      <div class="field">
        <label htmlFor={id}>
          Name <FieldNote isOptional />
        </label>
        <input
          id={id}
          name="name"
          maxLength={nameCharsMax}
          defaultValue={name}
          placeholder={usual}
          {...marked}
          aria-describedby={`${id}-hint ${error}`.trim()}
        />
      </div>
      <FieldErrorText name="name" invalid={invalid} />
      <p class="faint hint" id={`${id}-hint`}>
        Shown in lists and messages. For example: Ops team.
      </p>
    </>
  );
}
