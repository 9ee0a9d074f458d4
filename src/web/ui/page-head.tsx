/** The title of a page, or of a part of one, that belongs to a list, with the way back before it; on a phone that is an arrow. */
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';

interface PageHeadProps {
  /** Name and address of the list. */
  readonly list: string;
  readonly href: string;
  readonly title: string;
  /** What of the list the page is about, where it has a page of its own: a phone's arrow goes back to that. */
  readonly of?: { readonly name: string; readonly href: string };
  /** The heading of a part of a page is below that of the page. */
  readonly heading?: 'h1' | 'h2';
  /** What is behind the title. */
  readonly children?: ComponentChildren;
}

export function PageHead({ list, href, title, of, heading: Heading = 'h1', children }: PageHeadProps) {
  return (
    <div class="item-head">
      <Back words={list} href={href} />
      {of && <Back words={of.name} href={of.href} />}
      <Heading>
        {title}
        {of && <span class="of"> {of.name}</span>}
      </Heading>
      {children}
    </div>
  );
}

interface BackProps {
  readonly words: string;
  readonly href: string;
}

function Back({ words, href }: BackProps) {
  return (
    <>
      <a class="back" href={href}>
        <Icon name="left" />
        <span>{words}</span>
      </a>
      <span class="slash" aria-hidden="true">
        /
      </span>
    </>
  );
}
