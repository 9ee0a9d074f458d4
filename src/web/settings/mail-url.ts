/**
 * The address of a mail server out of its parts, as `KNELL_MAIL_URL` has it.
 * Invariant: pure. Every character of a user and a password may be typed as it is: they are encoded here.
 */

export interface MailParts {
  readonly host: string;
  /** Empty for the usual one of the encryption. */
  readonly port: string;
  readonly encryption: 'starttls' | 'tls';
  readonly user: string;
  readonly password: string;
}

/** By encryption, where none is given. */
export const usualPorts = { starttls: '587', tls: '465' } as const;

/** What is wrong, at its field; null for nothing. */
export function wrongPart({
  host,
  port,
  user,
  password,
}: MailParts): readonly [keyof MailParts, string] | null {
  if (host.trim() === '') return ['host', 'Enter the name of the server, such as mail.example.org.'];
  if (!URL.canParse(mailUrlOf({ host, port: '', encryption: 'tls', user: '', password: '' })))
    return ['host', hostWords];
  if (/[\s/@?#\\]/.test(host.trim()) || /^[^[:]+:[^:]*$/.test(host.trim())) return ['host', hostWords];
  if (port.trim() !== '' && !(/^\d{1,5}$/.test(port.trim()) && Number(port) >= 1 && Number(port) <= 65_535))
    return ['port', 'A port is a number from 1 to 65535.'];
  return user === '' && password !== '' ? ['user', 'A password needs a user.'] : null;
}

const hostWords = 'Only the name or the IP address of the server, such as mail.example.org.';

export function mailUrlOf({ host, port, encryption, user, password }: MailParts): string {
  const name = host.trim();
  // An IPv6 address.
  const shown = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  const secret = password === '' ? '' : `:${encodeURIComponent(password)}`;
  const sender = user === '' ? '' : `${encodeURIComponent(user)}${secret}@`;
  const number = port.trim() || usualPorts[encryption];
  return `${encryption === 'tls' ? 'smtps' : 'smtp'}://${sender}${shown}:${number}`;
}
