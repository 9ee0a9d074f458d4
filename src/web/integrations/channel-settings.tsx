/**
 * The settings of when an integration is notified, and in which time zone. The forms of all kinds have them, and the table of
 * settings lists them.
 */
import {
  type ChannelSettings,
  channelSettingFields,
  defaultChannelSettings,
  type OwnerSettingName,
  type RoutedEvent,
  routedEvents,
  typedThenSwitched,
} from '../../domain/accounts/channel-settings.ts';
import { typedTags } from '../rows/typed-tags.ts';
import {
  allRefusedIn,
  type FieldError,
  FieldErrorText,
  isWrongIn,
  markedInvalid,
} from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { FoldedPart, wrongWords } from '../ui/folded-part.tsx';
import { settingWords } from './integration-health.ts';

type Settings = Pick<ChannelSettings, OwnerSettingName>;

interface ChannelSettingsProps {
  /** Distinguishes the forms of a page. */
  readonly id: string;
  readonly settings?: Settings;
  readonly invalid: FieldError;
}

/** Beside the choice of the checks (`check-choice`), which it is about. */
const besideChecks: OwnerSettingName = 'notForNew';

const askedAlways = typedThenSwitched.filter((name) => !isLater(name) && name !== besideChecks);
const askedLater = typedThenSwitched.filter(isLater);

function isLater(name: OwnerSettingName): boolean {
  return channelSettingFields[name].isLater === true;
}

/** `serverZone`: of messages where the integration has none. */
export function ChannelSettingsPart(props: ChannelSettingsProps & { readonly serverZone: string }) {
  const { settings = defaultChannelSettings, serverZone, invalid } = props;
  // The zone of who adds an integration is in its form from the start.
  const isSet = askedAlways.some(
    (name) => name !== 'timeZone' && settings[name] !== defaultChannelSettings[name],
  );
  return (
    <FoldedPart
      title="Delays, repeats and filters"
      words={wordsOf(settings, serverZone)}
      wordsIn={(form) => wordsIn(form, serverZone)}
      isSet={isSet}
      isWrong={isWrongIn(invalid, askedAlways)}
    >
      {askedAlways.map((name) => (
        <Setting key={name} name={name} {...props} />
      ))}
    </FoldedPart>
  );
}

function wordsOf(settings: Settings, serverZone: string): string {
  const words = settingWords(settings).join(', ') || 'none: every alert is sent at once';
  const { timeZone } = settings;
  return timeZone === '' || timeZone === serverZone ? words : `${words}; times in ${timeZone}`;
}

/** What is not right yet is no setting. */
function wordsIn(form: FormData, serverZone: string): string {
  if (wrongIn(form).length > 0) return wrongWords;
  return wordsOf({ ...defaultChannelSettings, ...settingsIn(form, { isNew: true }) }, serverZone);
}

/** The settings of an integration that is there already. */
export function LaterSettings(props: ChannelSettingsProps) {
  return askedLater.map((name) => {
    const field = channelSettingFields[name];
    return (
      <fieldset key={name}>
        <legend>{'card' in field ? field.card.title : field.label}</legend>
        <Setting name={name} {...props} />
      </fieldset>
    );
  });
}

function Setting({
  id,
  name,
  settings = defaultChannelSettings,
  invalid,
}: ChannelSettingsProps & { readonly name: OwnerSettingName }) {
  const field = channelSettingFields[name];
  const { label, hint } = field;
  switch (field.kind) {
    case 'seconds':
      return (
        <>
          <label>
            {label} <FieldNote>{hint === undefined ? 'minutes' : `minutes; ${hint}`}</FieldNote>
            <input
              name={name}
              type="number"
              min={0}
              step="any"
              defaultValue={String(Number(settings[name]) / 60)}
              {...markedInvalid(name, invalid)}
            />
          </label>
          <FieldErrorText name={name} invalid={invalid} />
        </>
      );
    case 'flag':
      return (
        <label class="tick">
          <input type="checkbox" name={name} defaultChecked={settings[name] === true} />
          {'card' in field ? field.card.tick : label}
        </label>
      );
    case 'words':
      if (name === 'events')
        return <Events {...{ label, hint, invalid }} chosen={settings.events.split(/\s+/)} />;
      return <Words {...{ name, label, hint, invalid }} value={String(settings[name])} />;
    case 'zone':
      return <Zone {...{ id, name, label, hint, invalid }} value={String(settings[name])} />;
  }
}

const eventWords: Readonly<Record<RoutedEvent, string>> = {
  down: 'Down, for any other reason than the next two',
  hung: 'A run hung: it did not end in time',
  missed: 'A run was missed: it did not start in time',
  up: 'Up again',
};

interface SaidProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly invalid: FieldError;
}

function Events({ label, hint, chosen, invalid }: SaidProps & { readonly chosen: readonly string[] }) {
  return (
    <fieldset>
      <legend>
        {label} <FieldNote>{hint}</FieldNote>
      </legend>
      {routedEvents.map((one, at) => (
        <label key={one} class="tick">
          <input
            type="checkbox"
            name="events"
            value={one}
            defaultChecked={chosen.includes(one)}
            {...(at === 0 ? markedInvalid('events', invalid) : {})}
          />
          {eventWords[one]}
        </label>
      ))}
      <FieldErrorText name="events" invalid={invalid} />
    </fieldset>
  );
}

interface WordsProps extends SaidProps {
  readonly name: string;
  readonly value: string;
}

function Words({ name, label, hint, value, invalid }: WordsProps) {
  return (
    <>
      <label>
        {label} <FieldNote>{hint}</FieldNote>
        <input name={name} defaultValue={value} autocomplete="off" {...markedInvalid(name, invalid)} />
      </label>
      <FieldErrorText name={name} invalid={invalid} />
    </>
  );
}

function Zone({ id, name, label, hint, value, invalid }: WordsProps & { readonly id: string }) {
  return (
    <>
      <label>
        {label} <FieldNote>{hint}</FieldNote>
        <input
          name={name}
          list={`${id}-zones`}
          defaultValue={value}
          autocomplete="off"
          {...markedInvalid(name, invalid)}
        />
      </label>
      <FieldErrorText name={name} invalid={invalid} />
      <datalist id={`${id}-zones`}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

/** Returns what is wrong with a time in the unit of its field; empty for nothing. `min` and `max` are in seconds. */
function spanError(text: string, { min, max }: { readonly min: number; readonly max: number }): string {
  const seconds = Math.round(Number(text) * 60);
  if (seconds === 0 || (seconds >= min && seconds <= max)) return '';
  const days = max >= 86_400 ? ` (${max / 86_400} days)` : '';
  const from = min < 60 ? 'up to' : `from ${min / 60} to`;
  return `Enter 0, or ${from} ${(max / 60).toLocaleString('en')} minutes${days}.`;
}

const zoneErrorWords = 'Unknown time zone. Choose one from the list, such as Europe/Berlin.';

/** Whether this browser knows it. The server may know others. */
function isZone(timeZone: string): boolean {
  try {
    return timeZone === '' || new Intl.DateTimeFormat('en', { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
}

/** The settings that no server would take. */
function wrongIn(form: FormData): readonly FieldError[] {
  return askedAlways.flatMap((name) => {
    const field = channelSettingFields[name];
    const text = String(form.get(name) ?? '');
    const error = field.kind === 'seconds' && form.has(name) ? spanError(text, field) : '';
    return error === '' ? [] : [{ field: name, error }];
  });
}

/** Returns all that is wrong with the settings before they are sent. `isRefused`: with what else the server may refuse. */
export function settingErrors(form: HTMLFormElement, isRefused: boolean): readonly FieldError[] {
  const wrong = [
    ...allRefusedIn(form).filter(({ field }) => askedAlways.some((name) => name === field)),
    ...wrongIn(new FormData(form)),
  ];
  const zone = String(new FormData(form).get('timeZone') ?? '').trim();
  const isUnknown = (isRefused || wrong.length > 0) && !isZone(zone);
  return isUnknown ? [...wrong, { field: 'timeZone', error: zoneErrorWords }] : wrong;
}

/** Returns what the server says of one of the settings in the words of its field. */
export function settingErrorWords({ field, error }: FieldError): FieldError {
  return { field, error: field === 'timeZone' ? zoneErrorWords : error };
}

interface Opened {
  readonly isNew: boolean;
  /** What the field of the tags began with. */
  readonly tagsBefore?: string;
}

/** Returns the settings as the commands take them; with `isNew`, those that the form of a new integration has. */
export function settingsIn(form: FormData, { isNew, tagsBefore = '' }: Opened): Partial<Settings> {
  const asked = isNew ? [...askedAlways, besideChecks] : typedThenSwitched;
  return Object.fromEntries(asked.map((name) => [name, valueIn(form, name, tagsBefore)]));
}

function valueIn(form: FormData, name: OwnerSettingName, tagsBefore: string): number | boolean | string {
  // Its box says the opposite, and is there only with the choice of the checks.
  if (name === besideChecks) return form.has('asksForNew') && !form.has('forNew');
  if (name === 'tags') return typedTags(String(form.get(name) ?? ''), tagsBefore);
  switch (channelSettingFields[name].kind) {
    case 'seconds':
      return Math.round(Number(form.get(name)) * 60);
    case 'flag':
      return form.has(name);
    case 'words':
      // The events are ticks of the same name.
      return form.getAll(name).join(' ');
    case 'zone':
      return String(form.get(name) ?? '');
  }
}
