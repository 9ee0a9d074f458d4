/** Beside a setting of the server: which integrations cannot send without it, over all projects. */
import type { ChannelKind } from '../../domain/accounts/project.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { addressOf, kindToAdd } from '../core/route.ts';
import { kindCalled, offeredTitle } from '../integrations/kind-words.ts';

export interface Lacking {
  readonly kinds: readonly ChannelKind[];
  readonly integrations: number;
  readonly projects: number;
  /** The integrations of one of the projects. */
  readonly address: string;
}

type StateOfAll = Pick<PageState, 'missing' | 'unconfigured'>;

/** Returns what lacks the setting; null where nothing does. `project` is the one whose integrations are shown if it is among them. */
export function lackingFor(
  variable: string,
  { missing, unconfigured }: StateOfAll,
  project: string,
): Lacking | null {
  // A kind may need a value of it, such as `on`.
  const needsIt = (kind: ChannelKind): boolean =>
    (missing[kind] ?? []).some((name) => name.split('=')[0] === variable);
  const found = Object.entries(unconfigured).flatMap(([id, { kinds: counted }]) => {
    const lacking = counted.filter(({ kind }) => needsIt(kind));
    return lacking.length === 0 ? [] : [{ id, lacking }];
  });
  const [first] = found;
  if (first === undefined) return null;
  const all = found.flatMap(({ lacking }) => lacking);
  return {
    kinds: [...new Set(all.map(({ kind }) => kind))],
    integrations: all.reduce((sum, { count }) => sum + count, 0),
    projects: found.length,
    address: addressOf(found.some(({ id }) => id === project) ? project : first.id, 'integrations'),
  };
}

export function LackingWords({ lacking }: { readonly lacking: Lacking | null }) {
  if (lacking === null) return null;
  const { integrations, projects, address } = lacking;
  const where = projects === 1 ? '' : ` in ${projects} projects`;
  return (
    <span class="lacking">
      Needed by {lacking.kinds.map((kind) => titles[kind]).join(', ')}:{' '}
      <a href={address}>
        {integrations === 1 ? '1 integration' : `${integrations} integrations`}
        {where} cannot send
      </a>
    </span>
  );
}

interface AddKindProps {
  readonly missing: PageState['missing'];
  readonly project: string;
}

/** The way on for who came here to add an integration of a kind, once nothing that it needs is missing. */
export function AddKind({ missing, project }: AddKindProps) {
  const kind = kindCalled(kindToAdd());
  if (kind === undefined || kind in missing || project === '') return null;
  return (
    <a class="button add-kind" href={addressOf(project, 'integrations', `new/${kind}`)}>
      Add {offeredTitle(kind)}
    </a>
  );
}

interface KindToComeProps extends AddKindProps {
  readonly variable: string;
}

/** Says beside a setting that is asked for on the way to adding an integration what follows once it is saved. */
export function KindToCome({ missing, project, variable }: KindToComeProps) {
  const kind = kindCalled(kindToAdd());
  if (kind === undefined || !missing[kind]?.includes(variable) || project === '') return null;
  return <p class="hint">Then you go on with adding {offeredTitle(kind)}.</p>;
}
