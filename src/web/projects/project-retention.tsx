/** The rules of retention of a project: for its checks that have none of their own. Owners set them. */
import { useRef, useState } from 'preact/hooks';
import { planLimits } from '../../domain/accounts/plan-limits.ts';
import type { Plan } from '../../domain/accounts/project.ts';
import { projectFields as fields } from '../../domain/accounts/project-fields.ts';
import { messageOf, send } from '../core/calls.ts';
import { useStored, useUnsaved } from '../core/typed.ts';
import { dropGuard } from '../form/dropped.ts';
import { RulesField, retentionErrorWords, WouldFree } from '../form/retention-fields.tsx';
import { apiPath } from '../rows/api-check.ts';
import { Act, Problem } from '../ui/bits.tsx';
import { type FieldError, noFieldError, useErrorInFocus } from '../ui/field-error.tsx';
import { Panel } from '../ui/panel.tsx';
import { unchangedWords } from '../ui/unchanged.tsx';

interface ProjectRetentionProps {
  readonly project: string;
  readonly retention: string;
  readonly plan: Plan;
  readonly saved: () => void;
}

export function ProjectRetention({ project, retention, plan, saved }: ProjectRetentionProps) {
  const [rules, setRules] = useState(retention);
  const [invalid, setInvalid] = useState<FieldError>(noFieldError);
  const [said, setSaid] = useState('');
  const [failed, setFailed] = useState('');
  const [refuseDrops] = useState(dropGuard);
  const form = useRef<HTMLFormElement>(null);
  useErrorInFocus(form, invalid);
  const [stored, noteSaved] = useStored(retention.trim());
  const isSame = rules.trim() === stored;
  useUnsaved(() => !isSame);
  const preview = apiPath(project, 'retention/preview');
  const type = (typed: string): void => {
    setRules(typed);
    setInvalid(noFieldError);
    setSaid('');
  };
  const save = async (): Promise<void> => {
    try {
      await refuseDrops(preview, rules.trim());
      await send('POST', `/web/in/${project}/retention`, { retention: rules.trim() });
    } catch (reason) {
      const error = messageOf(reason);
      setInvalid({ field: 'retention', error: retentionErrorWords(error) || error });
      return;
    }
    noteSaved(rules.trim());
    setSaid('Saved. What the rules drop is deleted within minutes.');
    saved();
  };
  return (
    <Panel title={fields.retention.label} help={fields.retention.help} isForm form={form}>
      <RulesField rules={rules} setRules={type} invalid={invalid} plan={plan}>
        <p class="hint">
          Empty: each check keeps its last {planLimits[plan].pingsMax.toLocaleString()} pings. Rules can keep
          fewer, and failures longer.
        </p>
        <WouldFree
          path={preview}
          {...{ rules, invalid }}
          isIdle={rules.trim() === '' && retention.trim() === ''}
        >
          <Act class="main" run={save} failed={setFailed} offBecause={isSame ? unchangedWords : ''} isDefault>
            Save rules
          </Act>
        </WouldFree>
        <p role="status">{said}</p>
        <Problem text={failed} />
      </RulesField>
    </Panel>
  );
}
