/**
 * The description of a check and its tags, edited in their place. What to do when it is down is written there: where there is a
 * description, it is below the status on a phone, and the first at the right in a wide window.
 */
import { useRef, useState } from 'preact/hooks';
import { useWide } from '../core/use-wide.ts';
import { tagsHint, typedTags } from '../rows/typed-tags.ts';
import { Description } from '../ui/description.tsx';
import { FieldErrorText, markedInvalid } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { Editable, type SideProps } from './side-cards.tsx';

/** On a phone: beyond that the history would be far below. */
const linesShown = 8;
/** Pixels of a window from which the page has two columns. */
const twoColumnsPx = 1000;

interface CardProps extends SideProps {
  /** Its form, while it is edited. */
  readonly form: { current: HTMLFormElement | null };
}

export function DescriptionCard(props: CardProps) {
  const { check } = props;
  return (
    <Editable
      {...props}
      title="Description"
      edited={props.form}
      fieldsOf={(data) => ({
        desc: String(data.get('desc') ?? '').trim(),
        tags: typedTags(String(data.get('tags') ?? ''), check.tags),
      })}
      form={(invalid) => (
        <>
          <label>
            Description
            <textarea name="desc" rows={4} defaultValue={check.desc} {...markedInvalid('desc', invalid)} />
          </label>
          <FieldErrorText name="desc" invalid={invalid} />
          <label>
            Tags <FieldNote>{tagsHint}</FieldNote>
            <input name="tags" defaultValue={check.tags} {...markedInvalid('tags', invalid)} />
          </label>
          <FieldErrorText name="tags" invalid={invalid} />
        </>
      )}
    >
      {check.desc === '' ? (
        <p class="faint">What the job does, and what to do when it fails.</p>
      ) : (
        <Description text={check.desc} lines={linesShown} />
      )}
    </Editable>
  );
}

/** `below-status`: as the second card of the page. `last`: among the others, where one may be added. */
type DescriptionPlace = 'below-status' | 'first-beside' | 'last';

/**
 * Where the card is. It stays there when a description is added or removed, so that nothing moves under who does that; and while it
 * is edited it stays in its column, too, since what is typed would be lost with its form.
 */
export function useDescriptionPlace(desc: string) {
  const form = useRef<HTMLFormElement>(null);
  const [hadText] = useState(desc !== '');
  const isBeside = useWide(twoColumnsPx);
  const wasBeside = useRef(isBeside);
  if (form.current === null) wasBeside.current = isBeside;
  const place: DescriptionPlace = !hadText ? 'last' : wasBeside.current ? 'first-beside' : 'below-status';
  return { place, form };
}
