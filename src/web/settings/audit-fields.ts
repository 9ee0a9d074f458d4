/** What the fields of an entry of the audit log are called on the page: as in the form in which they are set. */
import type { AuditSubject } from '../../domain/accounts/audit.ts';
import {
  auditedName,
  channelSettingFields,
  channelSettingNames,
} from '../../domain/accounts/channel-settings.ts';
import { projectFieldNames, projectFields } from '../../domain/accounts/project-fields.ts';
import { statusPageFields, typedPageFields } from '../../domain/accounts/status-page-fields.ts';
import { checkFieldLabels } from '../../domain/check/check-field-labels.ts';
import { capital } from '../../domain/words/capital.ts';
import { kinds } from '../../integrations/all.ts';

type Labels = ReadonlyMap<string, string>;

/** The fields of all kinds: an entry does not say of which kind the integration is. Without a label where kinds differ in it. */
const contents = new Map<string, string>();
for (const { form } of Object.values(kinds))
  for (const { name, label, box } of form.fields) {
    const whole = box === undefined ? label : `${label}: ${box.toLowerCase()}`;
    const known = contents.get(name);
    contents.set(name, known === undefined || known === whole ? whole : '');
  }

const labels: Readonly<Partial<Record<AuditSubject, Labels>>> = {
  check: new Map(Object.entries(checkFieldLabels)),
  integration: new Map([
    ...contents,
    ...channelSettingNames.flatMap((name) => {
      const field = channelSettingFields[name];
      const audited = auditedName(field);
      return audited === undefined || !('label' in field) ? [] : [[audited, field.label] as const];
    }),
  ]),
  project: new Map(projectFieldNames.map((name) => [name, projectFields[name].label])),
  'status-page': new Map(
    typedPageFields.map((name) => [statusPageFields[name].audited, statusPageFields[name].label]),
  ),
};

/** What no table has is a word of the log itself, such as `recovery codes`. */
export function fieldWords(subject: AuditSubject, field: string): string {
  return labels[subject]?.get(field) || capital(field.replaceAll('_', ' '));
}
