/** The page is light or dark as the system is, unless the reader has made a choice, which this browser keeps. */

export const themes = [
  ['system', 'System colours'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
export type Theme = (typeof themes)[number][0];

const kept = 'knell.theme';

export function theme(): Theme {
  const value = localStorage.getItem(kept);
  return themes.find(([name]) => name === value)?.[0] ?? 'system';
}

/** Sets the theme, also before anything is drawn: a page that is white for a moment blinds at night. */
export function applyTheme(): void {
  const chosen = theme();
  if (chosen === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', chosen);
}

export function setTheme(chosen: Theme): void {
  localStorage.setItem(kept, chosen);
  applyTheme();
}
