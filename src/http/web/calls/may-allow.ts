/** Which private addresses integrations may be sent to, and who may allow another one on the page. */
import type { ServerSettingView } from '../../../domain/views/page-view.ts';
import type { UserCall, WebContext } from './call.ts';

export const allowVariable = 'KNELL_WEBHOOK_ALLOW';

export function allowList({ serverSettings }: WebContext): Pick<ServerSettingView, 'value' | 'mayChange'> {
  const view = serverSettings.views().find(({ variable }) => variable === allowVariable);
  return view ?? { value: null, mayChange: false };
}

/** Whether the caller may allow a private address here: not if the environment sets the list. */
export function mayAllow({ context, principal }: Pick<UserCall, 'context' | 'principal'>): boolean {
  return principal.user.role === 'owner' && allowList(context).mayChange;
}
