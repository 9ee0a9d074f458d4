/**
 * The values of changed fields that name checks and other things by their UUIDs, in parts, so that names can be shown instead.
 * Invariant: pure, and the parts of a value are all of it: what names nothing by a UUID stays a part as it is.
 */

/** The only field of a check whose value names things by UUID, beside slugs and tags. */
const dependsOn = 'depends_on';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Matches the beginning of a UUID, where the audit log has cut a long value. */
const cutUuid = /^[0-9a-f]{8}-[0-9a-f-]*…$/;

export interface ValuePart {
  /** A slug or a tag where it is no UUID. */
  readonly text: string;
  readonly isId: boolean;
}

/**
 * Returns the parts of a value of `depends_on`, or of one that is nothing but UUIDs; null for any other: in a text, a UUID is what
 * somebody typed.
 */
export function idParts(field: string, value: string): readonly ValuePart[] | null {
  const words = value.split(/[ ,]+/).filter((word) => word !== '');
  const parts = words.flatMap((word) => {
    if (cutUuid.test(word)) return uuid.test(word.slice(0, -1)) ? [partOf(word.slice(0, -1)), more] : [more];
    return [partOf(word)];
  });
  if (field !== dependsOn && !parts.every((part) => part.isId || part === more)) return null;
  return parts.length === 0 ? null : parts;
}

const more: ValuePart = { text: '…', isId: false };

function partOf(text: string): ValuePart {
  return { text, isId: uuid.test(text) };
}

/** Whether a UUID in a value of this field is that of a check, or of one that was deleted. */
export function namesChecks(field: string): boolean {
  return field === dependsOn;
}
