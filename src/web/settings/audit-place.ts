/** The address of what an entry of the audit log is about. Pure. */
import type { AuditEntryView } from '../../domain/views/account-view.ts';
import { addressOf, maintenanceAddress, membersAddress, settingAddress } from '../core/route.ts';

/**
 * Null for what is not there any more, and for what has no page. Members are listed in the settings of every project: of one whose
 * entry names none, `latest` is the one to go to.
 */
export function placeAddress(
  { subject, place }: Pick<AuditEntryView, 'subject' | 'place'>,
  latest: string,
): string | null {
  if (!place) return null;
  const { id, project } = place;
  switch (subject) {
    case 'check':
      return addressOf(project, 'checks', id);
    case 'integration':
      return addressOf(project, 'integrations', id);
    case 'project':
      return addressOf(project, 'checks');
    case 'status-page':
      return addressOf(project, 'status-pages');
    case 'maintenance':
      return maintenanceAddress(project);
    case 'member':
      return project + latest === '' ? null : membersAddress(project || latest);
    case 'setting':
      return settingAddress(id);
    default:
      return null;
  }
}
