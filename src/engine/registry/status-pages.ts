/**
 * The status pages of all projects, in memory: by id, and by the slug in their address. Invariant: both name the same pages.
 */
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { ProjectId, StatusPageId } from '../../lib/ids.ts';

export class StatusPages {
  readonly #byId = new Map<StatusPageId, StatusPage>();
  readonly #bySlug = new Map<string, StatusPage>();

  /** Puts a page in place of the one with its id, if there is one. */
  put(page: StatusPage): void {
    this.remove(page.id);
    this.#byId.set(page.id, page);
    this.#bySlug.set(page.slug, page);
  }

  remove(id: StatusPageId): void {
    const page = this.#byId.get(id);
    this.#byId.delete(id);
    if (page && this.#bySlug.get(page.slug)?.id === id) this.#bySlug.delete(page.slug);
  }

  get(id: StatusPageId): StatusPage | null {
    return this.#byId.get(id) ?? null;
  }

  bySlug(slug: string): StatusPage | null {
    return this.#bySlug.get(slug) ?? null;
  }

  of(projectId: ProjectId): readonly StatusPage[] {
    return [...this.#byId.values()].filter((page) => page.projectId === projectId);
  }
}
