/**
 * Plots as SVG, of the suite's own drawing, so that the results need nothing to be looked at.
 * Invariant: a plot is drawn from its data alone, the same bytes for the same data.
 */

export interface Series {
  readonly name: string;
  /** Points that are not finite, or not above 0 on an axis that is logarithmic, are left out. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Axis {
  readonly label: string;
  readonly log?: boolean;
  /** Where it is marked; by default where round numbers lie. */
  readonly ticks?: readonly (readonly [at: number, label: string])[];
}

export interface Plot {
  /** Of its file, without ending. */
  readonly name: string;
  readonly title: string;
  readonly kind: 'lines' | 'bars';
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

const [width, height] = [760, 400];
const [left, right, top, bottom] = [80, 190, 44, 56];
const colours = ['#1b6ca8', '#c8553d', '#3a7d44', '#8f5ea2', '#b8860b', '#4d4d4d', '#17a2a2', '#d17ba0'];

interface Scale {
  readonly ticks: readonly (readonly [at: number, label: string])[];
  place(value: number): number;
}

export function drawPlot(plot: Plot): string {
  const points = plot.series.flatMap((series) => series.points).filter(drawable(plot));
  const x = scaleOf(
    plot.x,
    points.map(([value]) => value),
    [left, width - right],
  );
  const y = scaleOf(
    plot.y,
    points.map(([, value]) => value),
    [height - bottom, top],
  );
  const drawn = plot.series.map((series, at) => drawSeries(plot, { series, at, x, y }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${left}" y="24" font-size="15">${escaped(plot.title)}</text>`,
    ...drawAxes(plot, x, y),
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function drawable({ x, y }: Plot): (point: readonly [number, number]) => boolean {
  const fits = (axis: Axis, value: number): boolean => Number.isFinite(value) && (!axis.log || value > 0);
  return ([atX, atY]) => fits(x, atX) && fits(y, atY);
}

function scaleOf(axis: Axis, values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const bend = axis.log ? Math.log10 : (value: number) => value;
  // A linear axis begins at nothing: cut off, a small difference would look like a large one.
  const ends = [...values, ...(axis.ticks ?? []).map(([at]) => at), ...(axis.log ? [] : [0])];
  const low = Math.min(...ends);
  const high = Math.max(...ends, axis.log ? low * 10 : low + 1e-9);
  const share = (to - from) / (bend(high) - bend(low));
  const ticks = axis.ticks ?? (axis.log ? decades(low, high) : rounds(high));
  return { ticks, place: (value) => from + (bend(value) - bend(low)) * share };
}

function decades(low: number, high: number): [number, string][] {
  const found: [number, string][] = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); power <= Math.log10(high) + 1e-9; power++) {
    found.push([10 ** power, short(10 ** power)]);
  }
  return found;
}

function rounds(high: number): [number, string][] {
  const rough = high / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((size) => size >= rough) ?? unit;
  const count = Math.floor(high / step + 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => [at * step, short(at * step)]);
}

export function short(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (value >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(3)));
}

function drawAxes({ x: xAxis, y: yAxis }: Plot, x: Scale, y: Scale): string[] {
  const base = height - bottom;
  const across = y.ticks.map(([at, label]) => {
    const level = y.place(at).toFixed(1);
    const line = `<path d="M${left} ${level}H${width - right}" stroke="#ddd"/>`;
    return `${line}<text x="${left - 8}" y="${level}" text-anchor="end" dy="4">${escaped(label)}</text>`;
  });
  const along = x.ticks.map(
    ([at, label]) =>
      `<text x="${x.place(at).toFixed(1)}" y="${base + 18}" text-anchor="middle">${escaped(label)}</text>`,
  );
  const middle = (top + base) / 2;
  return [
    ...across,
    ...along,
    `<path d="M${left} ${top}V${base}H${width - right}" fill="none" stroke="#333"/>`,
    `<text x="${(left + width - right) / 2}" y="${height - 12}" text-anchor="middle">${escaped(xAxis.label)}</text>`,
    `<text transform="translate(18 ${middle}) rotate(-90)" text-anchor="middle">${escaped(yAxis.label)}</text>`,
  ];
}

interface Drawing {
  readonly series: Series;
  readonly at: number;
  readonly x: Scale;
  readonly y: Scale;
}

function drawSeries(plot: Plot, { series, at, x, y }: Drawing): string {
  const colour = colours[at % colours.length] ?? '#000';
  const places = series.points
    .filter(drawable(plot))
    .map(([px, py]) => [x.place(px).toFixed(1), y.place(py).toFixed(1)] as const);
  const key = top + 8 + at * 18;
  const legend = `<rect x="${width - right + 14}" y="${key}" width="10" height="10" fill="${colour}"/><text x="${width - right + 30}" y="${key + 9}">${escaped(series.name)}</text>`;
  if (plot.kind === 'lines') {
    const dots = places.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3" fill="${colour}"/>`).join('');
    const line = places.map(([px, py]) => `${px},${py}`).join(' ');
    return `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}${legend}`;
  }
  // Bars of several series stand side by side.
  const slot = (width - left - right) / Math.max(1, ...plot.series.map(({ points }) => points.length));
  const each = Math.max(1, (slot * 0.9) / plot.series.length);
  const bars = places.map(([px, py]) => {
    const from = (Number(px) + at * each).toFixed(1);
    return `<rect x="${from}" y="${py}" width="${each.toFixed(1)}" height="${(height - bottom - Number(py)).toFixed(1)}" fill="${colour}"/>`;
  });
  return `${bars.join('')}${legend}`;
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
