/** The placeholders of a form, once for all of its fields: their names at a glance, their meanings on request. */

interface PlaceholdersProps {
  readonly placeholders: readonly (readonly [name: string, meaning: string])[];
}

export function Placeholders({ placeholders }: PlaceholdersProps) {
  return (
    <details class="placeholders">
      <summary>
        Placeholders <span class="faint">in URLs, bodies and headers, such as $NAME and $STATUS</span>
      </summary>
      <dl>
        {placeholders.map(([name, meaning]) => (
          <div key={name}>
            <dt>
              <code>${name}</code>
            </dt>
            <dd>{inText(meaning)}</dd>
          </div>
        ))}
      </dl>
      <p class="faint">
        In a JSON body, write <code>"$NAME"</code> in quotes, which is escaped, or <code>$NAME_JSON</code>{' '}
        without.
      </p>
    </details>
  );
}

/** Words between backticks are code. */
function inText(meaning: string) {
  return meaning.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
}
