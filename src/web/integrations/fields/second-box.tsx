/** The second box of a new integration: most receivers take both events at one address, so its fields are there on request only. */
import type { ComponentChildren } from 'preact';
import { type SecondBoxChoice, secondBoxChoices } from '../../../integrations/contract/kind.ts';

/** Name of the choice, as the form has it. */
export const secondBoxField = 'second-box';

interface SecondBoxProps {
  readonly words: Readonly<Record<SecondBoxChoice, string>>;
  readonly chosen: SecondBoxChoice;
  readonly choose: (one: SecondBoxChoice) => void;
  readonly children: ComponentChildren;
}

export function SecondBox({ words, chosen, choose, children }: SecondBoxProps) {
  return (
    <>
      {secondBoxChoices.map((one) => (
        <label key={one} class="tick">
          <input
            type="radio"
            name={secondBoxField}
            value={one}
            checked={chosen === one}
            onChange={() => choose(one)}
          />
          {words[one]}
        </label>
      ))}
      {chosen === 'other' && children}
    </>
  );
}
