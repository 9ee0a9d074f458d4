/** The part of the form that says which integrations are silent: all of them, or some. */
import { useId } from 'preact/hooks';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import type { ChannelView } from '../../domain/views/page-view.ts';
import { FieldErrorText, markedInvalid, type noFieldError } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';

/** What is sent to a group is sent to its integrations: it has no quiet hours of its own. */
export function withQuiet(integrations: readonly ChannelView[]): readonly ChannelView[] {
  return integrations.filter(({ kind }) => kind !== 'group');
}

interface WhoProps {
  readonly isQuiet: boolean;
  /** Ids of those that are ticked. */
  readonly chosen: readonly string[];
  /** Null until they are there. */
  readonly integrations: readonly ChannelView[] | null;
  readonly put: (part: { readonly isQuiet?: boolean; readonly integrations?: readonly string[] }) => void;
  readonly invalid: typeof noFieldError;
}

export function WhoFields({ isQuiet, chosen, integrations, put, invalid }: WhoProps) {
  const toggle = (id: string): void =>
    put({ integrations: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] });
  const those = withQuiet(integrations ?? []);
  const hasNone = integrations !== null && those.length === 0;
  const group = useId();
  return (
    <fieldset>
      <legend>Silence</legend>
      <label class="tick">
        <input type="radio" name={group} checked={!isQuiet} onChange={() => put({ isQuiet: false })} />
        All integrations (maintenance)
      </label>
      <label class={hasNone ? 'tick noted' : 'tick'}>
        <input
          type="radio"
          name={group}
          checked={isQuiet}
          disabled={hasNone && !isQuiet}
          onChange={() => put({ isQuiet: true })}
        />
        <span>
          Only chosen ones (quiet hours){' '}
          {hasNone && <FieldNote>this project has no integration yet</FieldNote>}
        </span>
      </label>
      {isQuiet && !hasNone && (
        <div class="choices">
          {those.map((one, at) => (
            <label key={one.id} class="tick">
              <input
                type="checkbox"
                checked={chosen.includes(one.id)}
                onChange={() => toggle(one.id)}
                {...(at === 0 ? markedInvalid('integrations', invalid) : {})}
              />
              {channelTitle(one)}
            </label>
          ))}
        </div>
      )}
      <FieldErrorText name="integrations" invalid={invalid} />
    </fieldset>
  );
}
