/**
 * Draws a flat badge: the label on the left, the status on the right.
 * Invariant: pure; the label is text of others, and is escaped in the drawing.
 */
export type BadgeStatus = 'up' | 'late' | 'down';

/** Fills that are dark enough for white letters (WCAG, contrast 4.5 to 1). */
const statusFills: Readonly<Record<BadgeStatus, string>> = {
  up: '#2b7d2e',
  late: '#a85d00',
  down: '#c62828',
};
const labelFill = '#444';

const height = 20;
const baseline = 14;
/** Pixels to the left and right of each text. */
const margin = 6;

export function badgeSvg(label: string, status: BadgeStatus): string {
  const labelTextWidth = textWidth(label);
  const statusTextWidth = textWidth(status);
  const labelWidth = labelTextWidth + 2 * margin;
  const statusWidth = statusTextWidth + 2 * margin;
  const width = labelWidth + statusWidth;
  const title = `${escapeXml(label)}: ${status}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="edge"><rect width="${width}" height="${height}" rx="3"/></clipPath>`,
    '<g clip-path="url(#edge)">',
    `<rect width="${labelWidth}" height="${height}" fill="${labelFill}"/>`,
    `<rect x="${labelWidth}" width="${statusWidth}" height="${height}" fill="${statusFills[status]}"/>`,
    '</g>',
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">',
    text(margin, labelTextWidth, escapeXml(label)),
    text(labelWidth + margin, statusTextWidth, status),
    '</g>',
    '</svg>',
  ].join('');
}

/** `textLength` makes every font take the computed width. */
function text(x: number, width: number, content: string): string {
  return `<text x="${x}" y="${baseline}" textLength="${width}">${content}</text>`;
}

/** Characters by their advance in Verdana at 11 px. */
const charactersByWidth: readonly (readonly [width: number, characters: string])[] = [
  [3, "ijl|I'"],
  [4, 'f,.! '],
  [5, 'rtJ-/\\:;()[]"'],
  [6, 'cszL?*{}'],
  [7, 'abdeghknopquvxyBEFPSTXYZ0123456789_$'],
  [8, 'ACDHKNRUV&'],
  [9, 'GOQMw~+=<>^#'],
  [11, 'mW@%'],
];

const widthOf: ReadonlyMap<string, number> = new Map(
  charactersByWidth.flatMap(([width, characters]) =>
    [...characters].map((character) => [character, width] as const),
  ),
);

const otherWidth = 8;
/** The first code point of Hangul, kana, ideographs and then emoji, which are as wide as they are high. */
const wideFrom = 0x1100;

function textWidth(content: string): number {
  let width = 0;
  for (const character of content) {
    width += widthOf.get(character) ?? ((character.codePointAt(0) ?? 0) < wideFrom ? otherWidth : 11);
  }
  return width;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML 1.0 forbids, even escaped, become the replacement character. */
function escapeXml(content: string): string {
  return content
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
    .replace(/[^\P{Cc}\t\n\r]|\p{Surrogate}|[\uFFFE\uFFFF]/gu, '\uFFFD');
}
