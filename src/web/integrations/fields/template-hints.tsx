/**
 * What is probably wrong with a template of a webhook: a name after `$` that is no placeholder, a body that only looks like JSON.
 * Invariant: hints refuse nothing: a receiver may want just that.
 */
import { isJsonTemplate, unknownPlaceholders } from '../../../integrations/contract/placeholders.ts';

interface TemplateHintsProps {
  readonly text: string;
  readonly isBody: boolean;
}

export function TemplateHints({ text, isBody }: TemplateHintsProps) {
  const words = wordsOf(text, isBody);
  return words === '' ? null : (
    <p class="hint template-hint" role="status">
      {words}
    </p>
  );
}

function wordsOf(text: string, isBody: boolean): string {
  const unknown = unknownPlaceholders(text);
  if (unknown.length > 0) {
    const names = unknown.map((name) => `$${name}`).join(', ');
    return `${names} ${unknown.length === 1 ? 'is no placeholder, and is' : 'are no placeholders, and are'} sent as written.`;
  }
  const looksLikeJson = isBody && /^\s*[{[]/.test(text);
  return looksLikeJson && !isJsonTemplate(text) ? 'The body looks like JSON, but is not valid.' : '';
}
