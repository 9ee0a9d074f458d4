/** Whether a project may have the rules of results that a check is to get. Invariant: who changes something else is never refused. */
import { projectResultRulesMax } from '../../domain/limits.ts';
import { KnellError } from '../../lib/errors.ts';
import type { ProjectIndex } from '../registry/project-index.ts';
import { ruleCount } from '../registry/rule-counts.ts';

/** `before`: how many the check has in this project. Throws a KnellError `usage`. */
export function mustFitRules({ rules }: ProjectIndex, before: number, results: string): void {
  const added = ruleCount(results) - before;
  if (added <= 0 || rules.total + added <= projectResultRulesMax) return;
  const max = projectResultRulesMax.toLocaleString('en');
  throw new KnellError(
    'usage',
    `results has too many rules: the checks of a project may have ${max}, and there are ${rules.total.toLocaleString('en')}; delete some of other checks`,
  );
}
