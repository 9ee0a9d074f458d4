/** Tags to filter checks by: those that are chosen come first, and what does not fit into the line is in a menu. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ListView } from '../../domain/views/page-view.ts';
import { Menu, MenuItem } from './menu.tsx';
import { TagChip } from './tag.tsx';

interface TagFilterProps {
  readonly tags: ListView['tags'];
  readonly chosen: readonly string[];
  readonly toggle: (name: string) => void;
  /** Tags that are shown in the line. */
  readonly max: number;
}

export function TagFilter({ tags, chosen, toggle, max }: TagFilterProps) {
  const counts = new Map(tags.map(({ name, count }) => [name, count]));
  const others = tags.filter(({ name }) => !chosen.includes(name));
  const shown = others.slice(0, Math.max(0, max - chosen.length));
  const more = others.slice(shown.length);
  const box = useRef<HTMLFieldSetElement>(null);
  const pressed = useRef<{ readonly name: string; readonly wasChosen: boolean } | null>(null);
  // A chip that moves loses the focus, and so does one that goes into the menu.
  useLayoutEffect(() => {
    if (pressed.current === null) return;
    const { name, wasChosen } = pressed.current;
    if (chosen.includes(name) === wasChosen) return;
    pressed.current = null;
    if (document.activeElement !== document.body) return;
    const chips = Array.from(box.current?.querySelectorAll<HTMLElement>('button') ?? []);
    (chips.find(({ dataset }) => dataset.tag === name) ?? chips.at(-1))?.focus({ preventScroll: true });
  });
  const press = (name: string): void => {
    pressed.current = { name, wasChosen: chosen.includes(name) };
    toggle(name);
  };
  return (
    <fieldset class="chips" aria-label="Filter by tag" ref={box}>
      {chosen.map((name) => (
        <TagChip
          key={name}
          name={name}
          count={counts.get(name) ?? null}
          isChosen
          toggle={() => press(name)}
        />
      ))}
      {shown.map(({ name, count }) => (
        <TagChip key={name} name={name} count={count} isChosen={false} toggle={() => press(name)} />
      ))}
      {more.length > 0 && (
        <Menu class="chip" label={`${more.length} more`}>
          {more.map(({ name, count }) => (
            <MenuItem key={name} run={() => toggle(name)}>
              {name} <span class="faint figure">{count}</span>
            </MenuItem>
          ))}
        </Menu>
      )}
    </fieldset>
  );
}
