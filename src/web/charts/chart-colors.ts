/** The colours of the page for what is drawn on a canvas, which does not know custom properties. */
import { useEffect, useState } from 'preact/hooks';

const names = {
  bar: '--bar',
  down: '--down-bar',
  late: '--late-bar',
  line: '--line',
  text: '--text-3',
  strong: '--text-2',
  usual: '--accent',
} as const;

/** Reads the colours as the page has them now, light or dark. */
export function chartColors(): Readonly<Record<keyof typeof names, string>> {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colorOf = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const { bar, down, late, line, text, strong, usual } = names;
  const colors = {
    bar: colorOf(bar),
    down: colorOf(down),
    late: colorOf(late),
    line: colorOf(line),
    text: colorOf(text),
    strong: colorOf(strong),
    usual: colorOf(usual),
  };
  probe.remove();
  return colors;
}

/** A number that grows when the page changes between light and dark. */
export function useTheme(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const changed = (): void => setCount((before) => before + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', changed);
    const chosen = new MutationObserver(changed);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      system.removeEventListener('change', changed);
      chosen.disconnect();
    };
  }, []);
  return count;
}
