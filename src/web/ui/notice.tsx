/**
 * One line about something that is wrong, or on, with a link to where it is dealt with. Several stand side by side above a page.
 * Invariant: none is cut: where there are several on a phone it is a few words there, and the whole of it is the link. More than three are
 * two lines of two there.
 */
import type { ComponentChildren } from 'preact';

interface NoticeProps {
  /** How it looks, beside amber, which is the usual: `failing` and `open` are red, `taken` and `none` are grey. */
  readonly look?: string;
  /** What it says where there is no space for more: a few words. */
  readonly short: string;
  /** The same where it has half a line only, beside three others on a phone. */
  readonly least?: string;
  /** The link, or who can help where the reader cannot. */
  readonly to: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Notice({ look = '', short, least = short, to, children }: NoticeProps) {
  return (
    <div class={`banner notice ${look}`} role="status">
      <span class="words">{children}</span>
      <span class="short">{short}</span>
      <span class="least">{least}</span>
      {to}
    </div>
  );
}
