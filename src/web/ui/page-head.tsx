/** The title of a page that belongs to a list, with the way back to it before the title; on a phone that is an arrow. */
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';

interface PageHeadProps {
  /** Name and address of the list. */
  readonly list: string;
  readonly href: string;
  readonly title: string;
  /** What is behind the title. */
  readonly children?: ComponentChildren;
}

export function PageHead({ list, href, title, children }: PageHeadProps) {
  return (
    <div class="item-head">
      <a class="back" href={href}>
        <Icon name="left" />
        <span>{list}</span>
      </a>
      <span class="slash" aria-hidden="true">
        /
      </span>
      <h1>{title}</h1>
      {children}
    </div>
  );
}
