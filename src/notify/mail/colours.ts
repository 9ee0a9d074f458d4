/**
 * The colours of an alert mail, those of the page. The light ones are written into the styles; the dark ones come by a media
 * query, which has to outrank them.
 */
import type { Tone } from './content.ts';

export const light = {
  canvas: '#f0f2f5',
  surface: '#ffffff',
  subtle: '#f6f7f9',
  line: '#e2e6eb',
  text: '#161b22',
  text3: '#5f6978',
  outline: '#858f9e',
  accent: '#3d4fc4',
  onAccent: '#ffffff',
} as const;

const dark = {
  canvas: '#0d1015',
  surface: '#14181f',
  subtle: '#1b2029',
  line: '#242b35',
  text: '#e8ebf0',
  text3: '#8f99a8',
  outline: '#6b7687',
  accent: '#98a5ff',
  onAccent: '#12152b',
} as const;

interface ToneColours {
  readonly ink: string;
  readonly soft: string;
  readonly bar: string;
  /** A character, since pictures are not loaded. */
  readonly mark: string;
}

export const tones: Readonly<Record<Tone, ToneColours>> = {
  down: { ink: '#bf2330', soft: '#fdecec', bar: '#d5313d', mark: '&#215;' },
  up: { ink: '#13773f', soft: '#e4f4ea', bar: '#13773f', mark: '&#10003;' },
  late: { ink: '#8f5400', soft: '#fdf1dc', bar: '#8f5400', mark: '!' },
  warning: { ink: '#8f5400', soft: '#fdf1dc', bar: '#8f5400', mark: '!' },
  test: { ink: '#3d4fc4', soft: '#ebeefc', bar: '#3d4fc4', mark: 'i' },
};

const darkTones: Readonly<Record<Tone, Pick<ToneColours, 'ink' | 'soft'>>> = {
  down: { ink: '#ff8087', soft: '#341a1e' },
  up: { ink: '#5cc98c', soft: '#14291f' },
  late: { ink: '#eeb04a', soft: '#30250f' },
  warning: { ink: '#eeb04a', soft: '#30250f' },
  test: { ink: '#98a5ff', soft: '#1f2540' },
};

function rule(selector: string, ...properties: readonly (readonly [name: string, value: string])[]): string {
  return `${selector}{${properties.map(([name, value]) => `${name}:${value}!important`).join(';')}}`;
}

const toneRules = Object.entries(darkTones).flatMap(([tone, { ink, soft }]) => [
  rule(`.ink-${tone}`, ['color', ink]),
  rule(`.soft-${tone}`, ['background', soft]),
]);

export const darkStyle = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (prefers-color-scheme:dark){',
  rule('.canvas', ['background', dark.canvas]),
  rule('.card', ['background', dark.surface], ['border-color', dark.line]),
  rule('.line,.box', ['border-color', dark.line]),
  rule('.box', ['background', dark.subtle]),
  rule('.text', ['color', dark.text]),
  rule('.faint', ['color', dark.text3]),
  rule('.link', ['color', dark.accent]),
  rule('.accent', ['background', dark.accent], ['border-color', dark.accent], ['color', dark.onAccent]),
  rule('.outline', ['border-color', dark.outline]),
  rule('.on-accent', ['color', dark.onAccent]),
  ...toneRules,
  '}',
].join('');
