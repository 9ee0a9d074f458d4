/** When an integration is notified, and in which time zone: the part that the forms of all kinds have. */
import type { ChannelView } from '../../domain/views/page-view.ts';

type Settings = Pick<ChannelView, 'delayS' | 'repeatS' | 'late' | 'timeZone'>;

const usual: Settings = { delayS: 0, repeatS: 0, late: false, timeZone: '' };

interface ChannelSettingsProps {
  /** Distinguishes the forms of a page. */
  readonly id: string;
  readonly settings?: Settings;
  /** The field that is wrong, and why. */
  readonly invalid: { readonly field: string; readonly error: string };
}

export function ChannelSettings({ id, settings = usual, invalid }: ChannelSettingsProps) {
  const error = invalid.field === 'timeZone' ? invalid.error : '';
  return (
    <>
      <label>
        Notify only if down for more than <span class="faint">minutes</span>
        <input name="delay" type="number" min={0} step="any" defaultValue={String(settings.delayS / 60)} />
      </label>
      <label>
        Repeat while down, every <span class="faint">minutes; 0: never</span>
        <input name="repeat" type="number" min={0} step="any" defaultValue={String(settings.repeatS / 60)} />
      </label>
      <label>
        Time zone of its messages <span class="faint">empty: the server's</span>
        <input
          name="timeZone"
          list={`${id}-zones`}
          defaultValue={settings.timeZone}
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
      <label class="tick">
        <input type="checkbox" name="late" defaultChecked={settings.late} />
        Also notify when a ping is late
      </label>
    </>
  );
}

/** As the commands take them. */
export function settingsIn(form: FormData): Settings {
  const seconds = (field: string): number => Math.round(Number(form.get(field)) * 60);
  return {
    delayS: seconds('delay'),
    repeatS: seconds('repeat'),
    late: form.has('late'),
    timeZone: String(form.get('timeZone') ?? ''),
  };
}
