import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badgeSvg } from '../../../src/http/badges/badge-svg.ts';

const widthOf = (svg: string): number => Number(/width="(\d+)"/.exec(svg)?.[1]);

describe('a badge as a picture', () => {
  it('says label and status, to eyes and to screen readers', () => {
    const svg = badgeSvg('backup', 'up');
    expect(svg).toContain('>backup</text>');
    expect(svg).toContain('>up</text>');
    expect(svg).toContain('role="img" aria-label="backup: up"');
    expect(svg).toContain('<title>backup: up</title>');
  });

  it('has a colour of its own for each status', () => {
    const fills = (['up', 'late', 'down'] as const).map((status) =>
      /fill="#[0-9a-f]{6}"/.exec(badgeSvg('a', status)),
    );
    expect(new Set(fills.map(String)).size).toBe(3);
  });

  it('is as wide as its texts', () => {
    expect(widthOf(badgeSvg('iiii', 'up'))).toBeLessThan(widthOf(badgeSvg('mmmm', 'up')));
    expect(widthOf(badgeSvg('日本', 'up'))).toBeGreaterThan(widthOf(badgeSvg('ab', 'up')));
    expect(widthOf(badgeSvg('a', 'down'))).toBeGreaterThan(widthOf(badgeSvg('a', 'up')));
  });

  it('stays well-formed whatever the label is', () => {
    expect(badgeSvg('<script>&"\'', 'up')).toContain('&lt;script&gt;&amp;&quot;&#39;');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (label) => {
        const svg = badgeSvg(label, 'up');
        expect(svg.match(/<[a-zA-Z]+/g)).toEqual(badgeSvg('', 'up').match(/<[a-zA-Z]+/g));
        expect(svg).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML forbids
        expect(svg).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      }),
    );
  });
});
