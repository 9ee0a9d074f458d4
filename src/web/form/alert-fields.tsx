/**
 * The fields of a check that hold its alerts back. Closed until one of them is set, or wrong.
 * Invariant: an empty field is one that is not set.
 */
import { checkFieldLabels as labels } from '../../domain/check/check-field-labels.ts';
import {
  alertOutcomesMax,
  dependsOnMax,
  parentWaitSecondsMax,
  unstableChangesMax,
} from '../../domain/limits.ts';
import type { ApiCheck } from '../rows/api-check.ts';
import { type CrossedError, type FieldError, isWrongIn } from '../ui/field-error.tsx';
import { FoldedPart } from '../ui/folded-part.tsx';
import { DependsField } from './depends-field.tsx';
import { alertWords } from './folded-words.ts';
import { OptionalSpan, spanErrorWords, spanIn, TextField, wholeIn } from './optional-inputs.tsx';

const windowS = 1_800;

/** Each with the value that it has while it is not set. */
const whenUnset = {
  alert_after: 1,
  alert_of_last: 0,
  recover_after: 1,
  depends_on: '',
  hold: 0,
  unstable_changes: 0,
  unstable_window: windowS,
} as const;

type AlertFieldName = keyof typeof whenUnset;
const alertFieldNames = Object.keys(whenUnset) as readonly AlertFieldName[];

/** What the form says of alerts, as the API takes it. */
export function alertFieldsOf(form: FormData): Readonly<Record<string, unknown>> {
  const whole = (name: AlertFieldName): number => wholeIn(form, name, Number(whenUnset[name]));
  return {
    alert_after: whole('alert_after'),
    alert_of_last: whole('alert_of_last'),
    recover_after: whole('recover_after'),
    depends_on: String(form.get('depends_on') ?? '').trim(),
    hold: spanIn(form, 'hold', whenUnset.hold),
    unstable_changes: whole('unstable_changes'),
    unstable_window: spanIn(form, 'unstable_window', windowS),
  };
}

/** So many failures among fewer outcomes never come. */
export function crossedAlertField(form: FormData): CrossedError | null {
  const ofLast = wholeIn(form, 'alert_of_last', 0);
  return ofLast > 0 && ofLast < wholeIn(form, 'alert_after', 1)
    ? {
        field: 'alert_of_last',
        by: 'alert_after',
        error: 'That is fewer than the failures after which it alerts.',
      }
    : null;
}

const countError = `From 1 to ${alertOutcomesMax}, or empty.`;
const errors: Readonly<Record<Exclude<AlertFieldName, 'hold'>, string>> = {
  alert_after: countError,
  alert_of_last: countError,
  recover_after: countError,
  depends_on: `Choose checks that are found, or write slugs, UUIDs or tags such as tag:core: at most ${dependsOnMax}.`,
  unstable_changes: `From 1 to ${unstableChangesMax}, or empty.`,
  unstable_window: 'From one minute to one day, or empty.',
};

/** The field of alerts that an error of the management API begins with; empty for none. */
export function alertFieldIn(error: string): AlertFieldName | '' {
  const [, field = ''] = /^(\w+) (?:is|does|has) /.exec(error) ?? [];
  return alertFieldNames.find((name) => name === field.toLowerCase()) ?? '';
}

/** Returns an error of the management API about one of these fields in the words of the form; empty for another error. */
export function alertErrorWords(error: string): string {
  const field = alertFieldIn(error);
  if (field === 'hold') return spanErrorWords(error, `${parentWaitSecondsMax / 60} minutes`);
  return field === '' ? '' : errors[field];
}

interface AlertFieldsProps {
  readonly project: string;
  readonly check: Partial<ApiCheck>;
  readonly invalid: FieldError;
}

export function AlertFields({ project, check, invalid }: AlertFieldsProps) {
  const isSet = alertFieldNames.some((name) => (check[name] ?? whenUnset[name]) !== whenUnset[name]);
  const isWrong = isWrongIn(invalid, alertFieldNames);
  const shown = (name: AlertFieldName): string => {
    const value = check[name] ?? whenUnset[name];
    return value === whenUnset[name] ? '' : String(value);
  };
  const number = { invalid, isNumber: true } as const;
  return (
    <FoldedPart
      title="Alerts"
      words={alertWords(check)}
      wordsIn={(form) => alertWords(alertFieldsOf(form))}
      isSet={isSet}
      isWrong={isWrong}
    >
      <div class="form-part">
        <TextField
          name="alert_after"
          label={labels.alert_after}
          hint="a ping that does not come is one; empty: the first"
          value={shown('alert_after')}
          {...number}
        />
        <TextField
          name="alert_of_last"
          label={labels.alert_of_last}
          hint="empty: in a row"
          value={shown('alert_of_last')}
          {...number}
        />
        <TextField
          name="recover_after"
          label={labels.recover_after}
          hint="empty: the first"
          value={shown('recover_after')}
          {...number}
        />
      </div>
      <div class="form-part">
        <DependsField {...{ project, check, invalid }} value={shown('depends_on')} />
        <OptionalSpan
          name="hold"
          label={labels.hold}
          help="Empty: an alert does not wait."
          seconds={check.hold ?? 0}
          invalid={invalid}
        />
      </div>
      <div class="form-part">
        <TextField
          name="unstable_changes"
          label={labels.unstable_changes}
          hint="one alert, until it is steady; empty: never"
          value={shown('unstable_changes')}
          {...number}
        />
        <OptionalSpan
          name="unstable_window"
          label={labels.unstable_window}
          help="Empty: 30 minutes."
          seconds={check.unstable_window === windowS ? 0 : (check.unstable_window ?? 0)}
          invalid={invalid}
        />
      </div>
    </FoldedPart>
  );
}
