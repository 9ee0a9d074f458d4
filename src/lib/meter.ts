/**
 * Measurements of a running Knell: counters, gauges and histograms, handed down like the logger. Not how they are shown:
 * `collect` lists them by the data model of Prometheus (names in base units, `_total` on counters).
 *
 * A measurement costs a few nanoseconds and allocates nothing, so that a ping may take part in several.
 * Invariants: one name has one kind and one help text; the same name with the same labels is the same series.
 */
import { assert } from './errors.ts';

/** Labels in the order in which they are shown. */
export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  /** Adds a finite number that is not negative; 1 if omitted. */
  add(count?: number): void;
}

export interface Gauge {
  set(value: number): void;
  add(difference: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

export interface Meter {
  /** A counter only grows, from 0 at the start of the process. Its name ends with `_total`. */
  counter(name: string, help: string, labels?: Labels): Counter;
  /** A value that goes up and down. */
  gauge(name: string, help: string, labels?: Labels): Gauge;
  /** A gauge that is read when the metrics are collected. */
  observable(name: string, help: string, read: () => number, labels?: Labels): void;
  /** A counter that is read when the metrics are collected. */
  observedCounter(name: string, help: string, read: () => number): void;
  /** `bounds`: the upper ends of the buckets, each inclusive, ascending; one without an end follows them. */
  histogram(name: string, help: string, bounds: readonly number[], labels?: Labels): Histogram;
  /** Sorted by name. */
  collect(): readonly Metric[];
}

export type Metric = ScalarMetric | HistogramMetric;

export interface ScalarMetric {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly series: readonly { readonly labels: Labels; readonly value: number }[];
}

export interface HistogramMetric {
  readonly kind: 'histogram';
  readonly name: string;
  readonly help: string;
  readonly series: readonly HistogramSeries[];
}

export interface HistogramSeries {
  readonly labels: Labels;
  /** Counts of values that were at most `bound`, ascending; the last bound is infinite. */
  readonly buckets: readonly { readonly bound: number; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
}

/** `count` bounds from `first` on, each `factor` times the one before. */
export function exponentialBounds(first: number, factor: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => first * factor ** at);
}

class Scalar implements Counter, Gauge {
  #value = 0;
  readonly #read: (() => number) | null;

  constructor(read: (() => number) | null) {
    this.#read = read;
  }

  get value(): number {
    return this.#read === null ? this.#value : this.#read();
  }

  add(count = 1): void {
    this.#value += count;
  }

  set(value: number): void {
    this.#value = value;
  }
}

class Distribution implements Histogram {
  readonly bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    assert(
      bounds.every((bound, at) => at === 0 || bound > (bounds[at - 1] ?? bound)),
      'bounds ascend',
    );
    this.bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  series(labels: Labels): HistogramSeries {
    let count = 0;
    const buckets = [...this.#counts].map((own, at) => {
      count += own;
      return { bound: this.bounds[at] ?? Number.POSITIVE_INFINITY, count };
    });
    return { labels, buckets, sum: this.#sum, count };
  }
}

interface Family {
  readonly kind: Metric['kind'];
  readonly help: string;
  /** Series by their labels as text, in the order of their creation. */
  readonly series: Map<string, { readonly labels: Labels; readonly instrument: Scalar | Distribution }>;
}

export function createMeter(): Meter {
  const families = new Map<string, Family>();
  const familyOf = (kind: Metric['kind'], name: string, help: string): Family => {
    const known = families.get(name);
    assert(
      known === undefined || (known.kind === kind && known.help === help),
      `one metric is called ${name}`,
    );
    const family = known ?? { kind, help, series: new Map() };
    families.set(name, family);
    return family;
  };
  const scalar = (kind: 'counter' | 'gauge', name: string, help: string, labels: Labels): Scalar => {
    const { series } = familyOf(kind, name, help);
    const known = series.get(keyOf(labels))?.instrument;
    if (known instanceof Scalar) return known;
    const instrument = new Scalar(null);
    series.set(keyOf(labels), { labels, instrument });
    return instrument;
  };
  return {
    counter(name, help, labels = {}) {
      assert(name.endsWith('_total'), `the counter ${name} ends with _total`);
      return scalar('counter', name, help, labels);
    },
    gauge: (name, help, labels = {}) => scalar('gauge', name, help, labels),
    observable(name, help, read, labels = {}) {
      familyOf('gauge', name, help).series.set(keyOf(labels), { labels, instrument: new Scalar(read) });
    },
    observedCounter(name, help, read) {
      assert(name.endsWith('_total'), `the counter ${name} ends with _total`);
      familyOf('counter', name, help).series.set(keyOf({}), { labels: {}, instrument: new Scalar(read) });
    },
    histogram(name, help, bounds, labels = {}) {
      const { series } = familyOf('histogram', name, help);
      const known = series.get(keyOf(labels))?.instrument;
      if (known instanceof Distribution) return known;
      const instrument = new Distribution(bounds);
      series.set(keyOf(labels), { labels, instrument });
      return instrument;
    },
    collect: () =>
      [...families].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => metricOf(name, one)),
  };
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels));
}

function metricOf(name: string, { kind, help, series }: Family): Metric {
  const all = [...series.values()];
  if (kind === 'histogram') {
    const distributions = all.flatMap(({ labels, instrument }) =>
      instrument instanceof Distribution ? [instrument.series(labels)] : [],
    );
    return { kind, name, help, series: distributions };
  }
  const scalars = all.flatMap(({ labels, instrument }) =>
    instrument instanceof Scalar ? [{ labels, value: instrument.value }] : [],
  );
  return { kind, name, help, series: scalars };
}
