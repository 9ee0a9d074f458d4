/** A field with a button that writes what nobody can guess into it: a signing secret, or the name of a topic. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { signingPrefix } from '../../../integrations/contract/values.ts';

/** Bytes of a new signing secret: as many as the hash has that it signs with. */
const secretBytes = 32;

/** Characters of the random part of a topic, of 32 each: 100 bits. */
const topicChars = 20;
const topicAlphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** What is written, where `before` is in the field. */
const generators = {
  /** A new secret comes before the one that is there. */
  signing(before: string): string {
    const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
    const [old = ''] = before.trim().split(' ');
    return `${signingPrefix}${btoa(String.fromCharCode(...bytes))} ${old}`.trim();
  },
  topic(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(topicChars));
    return `knell-${Array.from(bytes, (byte) => topicAlphabet[byte % topicAlphabet.length]).join('')}`;
  },
} as const;

interface GeneratedProps {
  readonly what: keyof typeof generators;
  readonly children: ComponentChildren;
}

export function Generated({ what, children }: GeneratedProps) {
  const box = useRef<HTMLDivElement>(null);
  const generate = () => {
    const input = box.current?.querySelector('input');
    if (!input) return;
    input.value = generators[what](input.value);
    input.focus();
    input.select();
  };
  return (
    <div class="generated" ref={box}>
      {children}
      <button type="button" onClick={generate}>
        Generate
      </button>
    </div>
  );
}
