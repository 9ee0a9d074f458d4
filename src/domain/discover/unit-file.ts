/**
 * Unit files of systemd as their settings (systemd.syntax(7)), and spans of time as they have them (systemd.time(7)).
 * Invariant: pure; what is not understood is no setting.
 */

/** By section and name, in their order: `Timer.OnCalendar`. */
export type UnitSettings = ReadonlyMap<string, readonly string[]>;

/** Reads a unit and what is dropped into it, in this order. An empty value forgets what came before. */
export function unitSettings(texts: readonly string[]): UnitSettings {
  const settings = new Map<string, string[]>();
  for (const text of texts) {
    let section = '';
    for (const line of joined(text)) {
      const [, header] = /^\[([^\]]+)\]$/.exec(line) ?? [];
      if (header !== undefined) {
        section = header;
        continue;
      }
      const [, name, value = ''] = /^([A-Za-z][\w-]*)\s*=\s*(.*)$/.exec(line) ?? [];
      if (name === undefined) continue;
      const key = `${section}.${name}`;
      if (value === '') settings.delete(key);
      else settings.set(key, [...(settings.get(key) ?? []), value]);
    }
  }
  return settings;
}

/** Without comments and blanks at the ends; a line that ends with a backslash goes on. */
function joined(text: string): readonly string[] {
  const lines: string[] = [];
  let open = '';
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (/^[#;]/.test(line)) continue;
    if (line.endsWith('\\')) {
      open += `${line.slice(0, -1).trim()} `;
      continue;
    }
    lines.push(open + line);
    open = '';
  }
  if (open !== '') lines.push(open.trim());
  return lines;
}

export function lastOf(settings: UnitSettings, key: string): string | null {
  return settings.get(key)?.at(-1) ?? null;
}

export function isOn(settings: UnitSettings, key: string): boolean {
  return /^(?:1|yes|y|true|t|on)$/i.test(lastOf(settings, key) ?? '');
}

const unitS: readonly (readonly [RegExp, number])[] = [
  [/^(?:usec|us|µs)$/, 1e-6],
  [/^(?:msec|ms)$/, 1e-3],
  [/^(?:seconds?|sec|s|)$/, 1],
  [/^(?:minutes?|min|m)$/, 60],
  [/^(?:hours?|hr|h)$/, 3600],
  [/^(?:days?|d)$/, 86_400],
  [/^(?:weeks?|w)$/, 604_800],
  [/^(?:months?|M)$/, 2_629_800],
  [/^(?:years?|y)$/, 31_557_600],
];

/** Seconds of `1h 30min`; null for what is no span of time. */
export function spanS(text: string): number | null {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([A-Za-zµ]*)\s*/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.trim()) return null;
  let sum = 0;
  for (const [, count, unit = ''] of parts) {
    const found = unitS.find(([names]) => names.test(unit));
    if (!found) return null;
    sum += Number(count) * found[1];
  }
  return sum;
}
