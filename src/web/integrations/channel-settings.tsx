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
import { Problem } from '../ui/bits.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { FoldedPart } from '../ui/folded-part.tsx';
import { settingWords } from './integration-health.ts';

type Settings = Pick<ChannelSettings, OwnerSettingName>;

interface ChannelSettingsProps {
  /** Distinguishes the forms of a page. */
  readonly id: string;
  readonly settings?: Settings;
  /** Name of the field that is wrong, and the reason. */
  readonly invalid: { readonly field: string; readonly error: string };
}

/** Beside the choice of the checks (`check-choice`), which it is about. */
const besideChecks: OwnerSettingName = 'notForNew';

const askedAlways = typedThenSwitched.filter((name) => !isLater(name) && name !== besideChecks);
const askedLater = typedThenSwitched.filter(isLater);

function isLater(name: OwnerSettingName): boolean {
  return channelSettingFields[name].isLater === true;
}

export function ChannelSettingsPart(props: ChannelSettingsProps) {
  const { settings = defaultChannelSettings, invalid } = props;
  // The zone of who adds an integration is in its form from the start.
  const isSet = askedAlways.some(
    (name) => name !== 'timeZone' && settings[name] !== defaultChannelSettings[name],
  );
  return (
    <FoldedPart
      title="Delays, repeats and filters"
      words={settingWords(settings).join(', ') || 'none: every alert is sent at once'}
      isSet={isSet}
      isWrong={askedAlways.some((name) => name === invalid.field)}
    >
      {askedAlways.map((name) => (
        <Setting key={name} name={name} {...props} />
      ))}
    </FoldedPart>
  );
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
        <label>
          {label} <FieldNote>{hint === undefined ? 'minutes' : `minutes; ${hint}`}</FieldNote>
          <input
            name={name}
            type="number"
            min={0}
            step="any"
            defaultValue={String(Number(settings[name]) / 60)}
          />
        </label>
      );
    case 'flag':
      return (
        <label class="tick">
          <input type="checkbox" name={name} defaultChecked={settings[name] === true} />
          {'card' in field ? field.card.tick : label}
        </label>
      );
    case 'words': {
      const error = invalid.field === name ? invalid.error : '';
      if (name === 'events')
        return <Events label={label} hint={hint} chosen={settings.events.split(/\s+/)} error={error} />;
      return <Words {...{ id, name, label, hint, error }} value={String(settings[name])} />;
    }
    case 'zone': {
      const error = invalid.field === name ? invalid.error : '';
      return (
        <Zone id={id} name={name} label={label} hint={hint} error={error} chosen={String(settings[name])} />
      );
    }
  }
}

const eventWords: Readonly<Record<RoutedEvent, string>> = {
  down: 'Down, for any other reason than the next two',
  hung: 'A run hung: it did not end in time',
  missed: 'A run was missed: it did not start in time',
  up: 'Up again',
};

interface EventsProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly chosen: readonly string[];
  readonly error: string;
}

function Events({ label, hint, chosen, error }: EventsProps) {
  return (
    <fieldset>
      <legend>
        {label} <FieldNote>{hint}</FieldNote>
      </legend>
      {routedEvents.map((one) => (
        <label key={one} class="tick">
          <input type="checkbox" name="events" value={one} defaultChecked={chosen.includes(one)} />
          {eventWords[one]}
        </label>
      ))}
      <Problem text={error} />
    </fieldset>
  );
}

interface WordsProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly value: string;
  readonly error: string;
}

function Words({ id, name, label, hint, value, error }: WordsProps) {
  const errorId = `${id}-${name}-error`;
  return (
    <>
      <label>
        {label} <FieldNote>{hint}</FieldNote>
        <input
          name={name}
          defaultValue={value}
          autocomplete="off"
          {...(error === '' ? {} : { 'aria-invalid': true, 'aria-describedby': errorId })}
        />
      </label>
      {error !== '' && (
        <p class="problem" id={errorId} role="alert">
          {error}
        </p>
      )}
    </>
  );
}

interface ZoneProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly chosen: string;
  readonly error: string;
}

function Zone({ id, name, label, hint, chosen, error }: ZoneProps) {
  return (
    <>
      <label>
        {label} <FieldNote>{hint}</FieldNote>
        <input
          name={name}
          list={`${id}-zones`}
          defaultValue={chosen}
          autocomplete="off"
          {...(error === '' ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-zone-error` })}
        />
      </label>
      {error !== '' && (
        <p class="problem" id={`${id}-zone-error`} role="alert">
          {error}
        </p>
      )}
      <datalist id={`${id}-zones`}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
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
