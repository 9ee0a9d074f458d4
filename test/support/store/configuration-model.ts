/** A small model of an installation, as `config show` shows it, in which a plan is done step by step. */
import type { Actual, ActualProject } from '../../../src/apply/actual.ts';
import type { Desired } from '../../../src/apply/desired.ts';
import { exportDocument } from '../../../src/apply/export.ts';
import { type Plan, planChanges } from '../../../src/apply/plan.ts';
import { readDesired } from '../../../src/apply/read-desired.ts';
import { withIds } from '../../../src/apply/references.ts';
import { yamlText } from '../../../src/apply/yaml-node.ts';
import { contentOf, isOpen, rolesLine } from '../../../src/domain/configuration/configuration.ts';
import type { ConfigurationStep } from '../../../src/domain/configuration/configuration-step.ts';

export const fingerprint = (text: string): string => `#${text}`;
const noSecrets = { env: () => undefined, file: () => '' };
/** As quick as a property test needs them. */
const passwords = {
  hash: (password: string) => `hash of ${password}`,
  verify: (password: string, hash: string) => hash === `hash of ${password}`,
};

export function planOf(desired: Desired, actual: Actual, prune = false): Plan {
  return planChanges(desired, actual, { prune, fingerprint, passwords });
}

export function desiredOf(document: unknown) {
  const files = [{ name: 'k.yaml', text: yamlText(document), directory: '/' }];
  return readDesired(files, noSecrets);
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] extends readonly (infer Item)[] ? Item[] : T[Name] };
type Step<Name extends ConfigurationStep['do']> = Extract<ConfigurationStep, { do: Name }>;

/** What a server has, as `config show` shows it. */
export class Model {
  readonly projects: Mutable<ActualProject>[] = [];
  users: Mutable<Actual>['users'] = [];
  #ids = 0;

  #newId(): string {
    return `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`;
  }

  #in(id: string): Mutable<ActualProject> {
    const project = this.projects.find((one) => one.id === id);
    if (!project) throw new Error(`no project ${id}`);
    return project;
  }

  run(plan: Plan): void {
    const ids = new Map<string, string>();
    for (const { step, members, reference } of plan.steps) {
      const id = this.#do(withIds(step, members, ids));
      if (reference !== null) ids.set(reference, id);
    }
  }

  #do(step: ConfigurationStep): string {
    switch (step.do) {
      case 'create-project': {
        const id = this.#newId();
        const empty = {
          keys: [],
          integrations: [],
          checks: [],
          statusPages: [],
          maintenance: [],
          checkCount: 0,
        };
        this.projects.push({ id, name: step.name, plan: step.plan, ...empty });
        return id;
      }
      case 'change-plan':
        this.#in(step.project).plan = step.plan;
        return step.project;
      case 'change-retention': {
        const project = this.#in(step.project);
        if ((project.retention ?? '') !== step.expect) throw new Error('stale');
        project.retention = step.retention;
        return step.project;
      }
      case 'delete-project':
        this.projects.splice(this.projects.indexOf(this.#in(step.project)), 1);
        return step.project;
      case 'create-key': {
        const { name, scope, hash } = step;
        this.#in(step.project).keys.push({ id: this.#newId(), name, scope, hash: fingerprint(hash ?? name) });
        return '';
      }
      case 'replace-key': {
        const { keys } = this.#in(step.project);
        const at = keys.findIndex(({ id }) => id === step.id);
        if (at < 0) throw new Error('stale');
        const { name, scope, hash } = step;
        keys[at] = { id: this.#newId(), name, scope, hash: fingerprint(hash ?? name) };
        return '';
      }
      case 'delete-key': {
        const project = this.#in(step.project);
        project.keys = project.keys.filter(({ id }) => id !== step.id);
        return step.id;
      }
      case 'create-integration':
      case 'edit-integration':
      case 'replace-integration':
      case 'delete-integration':
        return this.#doIntegration(step);
      case 'create-user':
      case 'change-role':
      case 'delete-user':
        return this.#doUser(step);
      case 'create-status-page':
      case 'edit-status-page':
      case 'delete-status-page':
        return this.#doStatusPage(step);
      case 'create-maintenance':
      case 'edit-maintenance':
      case 'delete-maintenance':
        return this.#doMaintenance(step);
      default:
        return this.#doCheck(step);
    }
  }

  /** As the engine has it: once there is an owner there is always one. */
  #doUser(step: Step<'create-user' | 'change-role' | 'delete-user'>): string {
    const hasOwner = () => this.users.some(({ role }) => role === 'owner');
    const hadOwner = hasOwner();
    const before = step.do === 'create-user' ? null : this.users.find(({ id }) => id === step.id);
    if (step.do !== 'create-user' && (!before || rolesLine(before) !== step.expect)) throw new Error('stale');
    this.users = this.users.filter((user) => user !== before);
    const id = before?.id ?? this.#newId();
    const name = step.do === 'create-user' ? step.name : (before?.name ?? '');
    if (this.users.some((user) => user.name.toLowerCase() === name.toLowerCase())) throw new Error('twice');
    if (step.do !== 'delete-user') {
      const projects = step.projects ?? before?.projects ?? [];
      this.users.push({ id, name, role: step.role, projects });
    }
    if (hadOwner && !hasOwner()) throw new Error('no owner');
    return id;
  }

  #doIntegration(
    step: Step<'create-integration' | 'edit-integration' | 'replace-integration' | 'delete-integration'>,
  ): string {
    const project = this.#in(step.project);
    const before = project.integrations.find(({ id }) => id === step.id);
    project.integrations = project.integrations.filter(({ id }) => id !== step.id);
    if (step.do === 'delete-integration') return step.id;
    const kind = 'kind' in step ? step.kind : before?.kind;
    const id = step.id ?? this.#newId();
    if (!kind || ('expect' in step && step.expect !== before?.etag)) throw new Error('stale');
    const content = step.value === null ? null : Object.entries(contentOf(kind, step.value));
    const part = (open: boolean) => content?.filter(([field]) => isOpen(kind, field) === open) ?? [];
    const hidden = part(false).map(([field, text]) => [field, fingerprint(text)]);
    const { disabled, ...settings } = step.settings;
    project.integrations.push({
      id,
      etag: this.#newId(),
      name: step.name,
      kind,
      shown: content ? Object.fromEntries(part(true)) : (before?.shown ?? {}),
      hidden: content ? Object.fromEntries(hidden) : (before?.hidden ?? {}),
      ...settings,
      disabled: disabled ?? before?.disabled ?? false,
    });
    return id;
  }

  #doCheck(step: Step<'create-check' | 'edit-check' | 'delete-check'>): string {
    const project = this.#in(step.project);
    const before = project.checks.find(({ id }) => id === step.id);
    if (step.do !== 'create-check' && step.expect !== before?.etag) throw new Error('stale');
    const id = step.id ?? this.#newId();
    const others = project.checks.filter((check) => check.id !== id);
    const known = new Set(project.integrations.map((one) => one.id));
    if (step.do !== 'delete-check') {
      const { fields, integrations } = step;
      if (!integrations.every((one) => known.has(one))) throw new Error('no such integration');
      others.push({ id, etag: this.#newId(), fields, integrations });
    }
    project.checks = others;
    project.checkCount = others.length;
    return id;
  }

  #doStatusPage(step: Step<'create-status-page' | 'edit-status-page' | 'delete-status-page'>): string {
    const project = this.#in(step.project);
    const before =
      step.do === 'create-status-page' ? null : project.statusPages.find(({ id }) => id === step.id);
    if ('expect' in step && step.expect !== before?.etag) throw new Error('stale');
    project.statusPages = project.statusPages.filter((page) => page !== before);
    const id = before?.id ?? this.#newId();
    if (step.do === 'delete-status-page') return id;
    const { slug, title, description, time_zone, logo, incidents_after } = step;
    if (this.projects.some(({ statusPages }) => statusPages.some((page) => page.slug === slug)))
      throw new Error('twice');
    const known = new Set(project.checks.map((check) => check.id));
    if (!step.services.every(({ checks }) => checks.every((check) => known.has(check))))
      throw new Error('no such check');
    const password_hash = step.password_hash ?? before?.password_hash ?? '';
    const services = step.services.map((one) => {
      const checks = [...one.checks].sort();
      return { ...one, id: one.id ?? this.#newId(), checks };
    });
    const content = {
      ...{ slug, title, description, time_zone, logo, incidents_after },
      ...{ password_hash, services },
    };
    project.statusPages.push({ id, etag: this.#newId(), ...content });
    return id;
  }

  #doMaintenance(step: Step<'create-maintenance' | 'edit-maintenance' | 'delete-maintenance'>): string {
    const project = this.#in(step.project);
    const before =
      step.do === 'create-maintenance' ? null : project.maintenance.find(({ id }) => id === step.id);
    if ('expect' in step && step.expect !== before?.etag) throw new Error('stale');
    project.maintenance = project.maintenance.filter((one) => one !== before);
    const id = before?.id ?? step.id ?? this.#newId();
    if (step.do === 'delete-maintenance') return id;
    const known = new Set(project.checks.map((check) => check.id));
    if (!step.checks.every((check) => known.has(check))) throw new Error('no such check');
    const notified = new Set(project.integrations.map((one) => one.id));
    if (!step.integrations.every((one) => notified.has(one))) throw new Error('no such integration');
    const { name, checks, tags, from, until, schedule, tz, duration, dates, counts_as_downtime } = step;
    project.maintenance.push({
      ...{ id, etag: this.#newId(), name, checks: [...checks].sort(), tags, from, until, schedule, tz },
      ...{ duration, dates, counts_as_downtime, integrations: [...step.integrations].sort() },
    });
    return id;
  }

  exported(): unknown {
    return exportDocument(this, { secrets: false, fingerprint }).document;
  }
}

export const nothing: Actual = { projects: [], users: [] };

export function modelOf(document: unknown): Model {
  const model = new Model();
  model.run(planOf(desiredOf(document).desired, nothing));
  return model;
}

export function planFor(document: unknown, model: Model, prune = false): Plan {
  return planOf(desiredOf(document).desired, model, prune);
}
