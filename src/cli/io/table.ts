/**
 * Tables for people: aligned, within the width of the terminal, with colour where that helps. Programs use JSON or YAML.
 * Invariant: data that is printed never controls the terminal.
 */

export type Colour = 'red' | 'yellow' | 'green' | 'grey' | 'bold';

export interface Cell {
  readonly text: string;
  readonly colour?: Colour;
}

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | Cell;
  /** Whether the column may be cut when the terminal is too narrow. */
  readonly shrinks?: true;
}

export interface TableStyle {
  readonly colours: boolean;
  /** Columns of the terminal; null if lines may be of any length. */
  readonly width: number | null;
}

const codes: Readonly<Record<Colour, string>> = {
  red: '31',
  yellow: '33',
  green: '32',
  grey: '90',
  bold: '1',
};

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Returns a style without colour if NO_COLOR is set (no-color.org), or the terminal has none. */
export function tableStyle(stdout: Terminal, env: Readonly<Record<string, string | undefined>>): TableStyle {
  const isTerminal = stdout.isTTY === true;
  const colours = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
  return { colours, width: isTerminal ? (stdout.columns ?? null) : null };
}

export function coloured(text: string, colour: Colour | undefined, { colours }: TableStyle): string {
  return colours && colour ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
}

/** Renders a line of titles, then a line per row. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  style: TableStyle,
): readonly string[] {
  const titles = columns.map(({ title }): Cell => ({ text: title, colour: 'bold' }));
  const cells = [titles, ...rows.map((row) => columns.map(({ cell }) => cellOf(cell(row))))];
  const widths = fittedWidths(
    columns.map((_, at) => Math.max(...cells.map((line) => widthOf(line[at]?.text ?? '')))),
    columns,
    style.width,
  );
  return cells.map((line) =>
    line
      .map(({ text, colour }, at) => {
        const width = widths[at] ?? 0;
        const shown = cut(text, width);
        const padding = at === line.length - 1 ? '' : ' '.repeat(Math.max(0, width - widthOf(shown)));
        return coloured(shown, colour, style) + padding;
      })
      .join('  ')
      .trimEnd(),
  );
}

function cellOf(cell: string | Cell): Cell {
  const { text, ...rest } = typeof cell === 'string' ? { text: cell } : cell;
  return { text: printable(text), ...rest };
}

/** Escapes control characters as JSON does. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const columnGap = 2;
const shrunkWidthMin = 8;

/** Takes places from the widest column that may shrink, one by one, until the line fits. */
function fittedWidths<Row>(
  natural: readonly number[],
  columns: readonly Column<Row>[],
  width: number | null,
): readonly number[] {
  const widths = [...natural];
  if (width === null) return widths;
  let over = widths.reduce((sum, one) => sum + one, columnGap * (widths.length - 1)) - width;
  while (over > 0) {
    let widest = -1;
    for (const [at, { shrinks }] of columns.entries())
      if (shrinks && (widths[at] ?? 0) > Math.max(shrunkWidthMin, widths[widest] ?? 0)) widest = at;
    if (widest < 0) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over--;
  }
  return widths;
}

/** East Asian characters and emoji take two places, marks that combine take none. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += /[\p{Mn}\p{Cf}]/u.test(char) ? 0 : wide.test(char) ? 2 : 1;
  return width;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let shown = '';
  for (const char of text) {
    if (widthOf(shown + char) > width - 1) break;
    shown += char;
  }
  return `${shown}…`;
}
