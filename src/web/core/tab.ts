/** The title and the picture of the tab say how many checks are down while nobody looks at the page. */
import { useEffect } from 'preact/hooks';
import type { ListSummary } from '../../domain/views/page-view.ts';

const colors = { down: '#d5313d', late: '#c98010', up: '#429f6e' } as const;

export function useTab(summary: Pick<ListSummary, 'counts'> | null, page: string): void {
  const down = summary?.counts.down ?? 0;
  const worst = down > 0 ? 'down' : (summary?.counts.late ?? 0) > 0 ? 'late' : 'up';
  useEffect(() => {
    document.title = `${down > 0 ? `${down} down – ` : ''}${page} – Knell`;
    const shape =
      worst === 'down' ? '<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5Z"/>' : '<circle cx="8" cy="8" r="7"/>';
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="${colors[worst]}">${shape}</svg>`;
    document
      .querySelector('link[rel=icon]')
      ?.setAttribute('href', `data:image/svg+xml,${encodeURIComponent(picture)}`);
  }, [down, worst, page]);
}
