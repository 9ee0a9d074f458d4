/**
 * Tags as somebody types them into a field: spaces separate them, and commas, since many lists are written so. The management API
 * takes a comma as a part of a tag. Pure.
 * Invariant: what a field began with stays until the field is edited, whatever it has.
 */

/** Names what separates tags, beside a field. */
export const tagsHint = 'separated by spaces or commas';

/** Returns the tags that a field says as the API takes them; `before`: what it began with. */
export function typedTags(text: string, before = ''): string {
  return text.trim() === before.trim() ? before.trim() : tagsTyped(text).join(' ');
}

/** Returns each tag once. */
export function tagsTyped(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((tag) => tag !== ''))];
}
