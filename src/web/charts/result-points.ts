/**
 * Where the values of a number are in a small chart. Invariant: pure; every value and every limit is within it, and values that are all the
 * same are in its middle.
 */

/** The values at the bottom and the top. */
export interface Levels {
  readonly least: number;
  readonly most: number;
}

export function levelsOf(values: readonly number[], limits: readonly number[]): Levels {
  const all = [...values, ...limits];
  return { least: Math.min(...all), most: Math.max(...all) };
}

export interface DrawnValue {
  readonly value: number;
  readonly isBad: boolean;
  /** Share of the width, 0 to 1; without it values are one behind the other. */
  readonly share?: number;
}

/** In pixels from the left and from the top. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly isBad: boolean;
}

/** Pixels at every edge, so that no dot is cut. */
const edge = 5;

export function placesOf(
  values: readonly DrawnValue[],
  { least, most }: Levels,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Place[] {
  const stepX = (width - 2 * edge) / Math.max(1, values.length - 1);
  // Halves, since the span of two doubles may be no double.
  const span = most / 2 - least / 2;
  return values.map(({ value, isBad, share: across }, at) => {
    const share = span > 0 ? (value / 2 - least / 2) / span : 0.5;
    const x = across === undefined ? at * stepX : Math.max(0, Math.min(1, across)) * (width - 2 * edge);
    return { x: round(edge + x), y: round(edge + (1 - share) * (height - 2 * edge)), isBad };
  });
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
