/** What a page shows in place of something that is not there: what that is, why it may be missing, and where one goes on. */
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';

interface NotFoundProps {
  readonly title: string;
  readonly why: string;
  /** Links to where one goes on. */
  readonly children: ComponentChildren;
}

export function NotFound({ title, why, children }: NotFoundProps) {
  return (
    <div class="card not-found">
      <Icon name="search" size={40} />
      <h1>{title}</h1>
      <p role="alert">{why}</p>
      <p class="actions">{children}</p>
    </div>
  );
}
