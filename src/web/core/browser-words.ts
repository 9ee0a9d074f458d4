/** Puts a user agent into words, such as `Firefox on Linux`. One that is not known is shown as it names itself. */
export function browserWords(userAgent: string): string {
  const browser = ['Edg', 'OPR', 'FxiOS', 'Firefox', 'CriOS', 'Chrome', 'Safari'].find((name) =>
    userAgent.includes(`${name}/`),
  );
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'].find((name) =>
    userAgent.includes(name),
  );
  if (!browser || !system) return userAgent.slice(0, 40) || 'Unknown browser';
  return `${names[browser] ?? browser} on ${names[system] ?? system}`;
}

const names: Readonly<Record<string, string>> = {
  ...{ Edg: 'Edge', OPR: 'Opera', FxiOS: 'Firefox', CriOS: 'Chrome' },
  'Mac OS': 'macOS',
};
