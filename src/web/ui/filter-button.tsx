/** The button that opens the filters of a list on a phone, with how many are chosen. */
import { Icon } from './icons.tsx';

interface FilterButtonProps {
  readonly words: string;
  readonly isOpen: boolean;
  readonly chosen: number;
  readonly open: (isOpen: boolean) => void;
}

export function FilterButton({ words, isOpen, chosen, open }: FilterButtonProps) {
  return (
    <button
      type="button"
      class="quiet filters"
      aria-expanded={isOpen}
      // Beside the search of a phone it has no words to be seen.
      aria-label={chosen > 0 ? `${words} ${chosen}` : words}
      onClick={() => open(!isOpen)}
    >
      <Icon name="sort" />
      <span class="words">{words}</span> {chosen > 0 && <span class="figure">{chosen}</span>}
    </button>
  );
}
