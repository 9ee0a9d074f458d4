/** A tag in its colour, which follows from its name and is the same on every page and in every browser. */

const colors = 6;

export function tagColor(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return (hash % colors) + 1;
}

interface TagProps {
  readonly name: string;
  /** Filters by the tag; absent where a tag is only shown. */
  readonly choose?: () => void;
}

export function Tag({ name, choose }: TagProps) {
  const className = `tag tag-${tagColor(name)}`;
  if (!choose) return <span class={className}>{name}</span>;
  return (
    <button
      type="button"
      class={className}
      title={`Show checks with the tag ${name}`}
      tabIndex={-1}
      onClick={choose}
    >
      {name}
    </button>
  );
}

interface TagChipProps {
  readonly name: string;
  readonly count: number | null;
  readonly isChosen: boolean;
  readonly toggle: () => void;
}

export function TagChip({ name, count, isChosen, toggle }: TagChipProps) {
  return (
    <button type="button" class="chip" data-tag={name} aria-pressed={isChosen} onClick={toggle}>
      <span class={`dot tag-${tagColor(name)}`} aria-hidden="true" />
      {name}
      {count !== null && <span class="figure">{count}</span>}
    </button>
  );
}
