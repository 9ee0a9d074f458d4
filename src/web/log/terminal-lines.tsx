/**
 * Lines of an output with the colours that the job gave them.
 * Invariant: each part is text, and all colours are those of the page, which can be read in both schemes. Text before a colour has
 * that of the page's surface, as whatever can be read on it.
 */
import type { TerminalColour, TerminalLine, TerminalStyle } from '../../domain/words/terminal-text.ts';

const colours: Readonly<Record<TerminalColour, string>> = {
  red: 'var(--down)',
  green: 'var(--up)',
  yellow: 'var(--late)',
  blue: 'var(--tag-5)',
  magenta: 'var(--tag-6)',
  cyan: 'var(--tag-2)',
  grey: 'var(--text-3)',
};

export function TerminalLines({ lines }: { readonly lines: readonly TerminalLine[] }) {
  return (
    <>
      {lines.map(({ parts, text }, at) => {
        const before = at === 0 ? '' : '\n';
        return parts.some(({ style }) => style) ? (
          <span key={at}>
            {before}
            {parts.map((part, place) =>
              part.style ? (
                <span key={place} style={lookOf(part.style)}>
                  {part.text}
                </span>
              ) : (
                part.text
              ),
            )}
          </span>
        ) : (
          `${before}${text}`
        );
      })}
    </>
  );
}

function lookOf({ colour, behind, isBold, isUnderlined }: TerminalStyle): Record<string, string> {
  return {
    ...(behind
      ? { background: colours[behind], color: 'var(--surface)' }
      : colour && { color: colours[colour] }),
    ...(isBold ? { fontWeight: '700' } : {}),
    ...(isUnderlined ? { textDecoration: 'underline' } : {}),
  };
}
