/**
 * An integration as the page gets it.
 * Invariant: of an integration's value only the fields whose content its form has are shown, and of the others where an address leads
 * and the names of headers; both only to users who may edit it.
 */

import type { Apart } from '../../../domain/accounts/channel-title.ts';
import { type Channel, settingsOf } from '../../../domain/accounts/project.ts';
import type { ChannelView } from '../../../domain/views/page-view.ts';
import { kinds } from '../../../integrations/all.ts';
import {
  type FieldTexts,
  fieldsOfValue,
  isInForm,
  shownPart,
} from '../../../integrations/channel-form-value.ts';

/** `mayEdit` decides whether the open fields of its value are shown. */
export function channelView(channel: Channel, mayEdit: boolean, apart: Apart): ChannelView {
  const { id, kind, name, value } = channel;
  const { fields } = kinds[kind].form;
  const texts: FieldTexts = mayEdit ? fieldsOfValue(kind, value) : {};
  const held = fields.map((field) => [field, texts[field.name] ?? ''] as const);
  return {
    id,
    kind,
    name,
    ...apart,
    ...settingsOf(channel),
    fields: Object.fromEntries(
      held.filter(([field]) => isInForm(field)).map(([field, text]) => [field.name, text]),
    ),
    kept: Object.fromEntries(
      held
        .filter(([field, text]) => !isInForm(field) && text !== '')
        .map(([field, text]) => [field.name, shownPart(field, text)]),
    ),
  };
}
