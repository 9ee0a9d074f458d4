/**
 * The offer of a content type where a body is JSON and the headers name none: many receivers ignore such a body.
 * Invariant: nothing is added by itself; what is sent is what the form says.
 */
import { isJsonTemplate } from '../../../integrations/contract/placeholders.ts';

interface ContentTypeProps {
  readonly body: string;
  /** The headers, one per line. */
  readonly headers: string;
  readonly add: () => void;
}

export const jsonType = 'Content-Type: application/json';

export function ContentTypeOffer({ body, headers, add }: ContentTypeProps) {
  if (!lacksJsonType(body, headers)) return null;
  return (
    <div class="kept" role="status">
      <span>The body is JSON, but no header says so.</span>
      <button type="button" class="quiet" onClick={add}>
        Add {jsonType}
      </button>
    </div>
  );
}

/** A body without braces may be JSON by chance, such as a number: nobody means that. */
function lacksJsonType(body: string, headers: string): boolean {
  return /^\s*[{[]/.test(body) && isJsonTemplate(body) && !/^\s*content-type\s*:/im.test(headers);
}
