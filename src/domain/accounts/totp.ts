/**
 * One-time codes by time (RFC 6238): six digits, 30 seconds, as every authenticator app makes them by default. Pure: how an HMAC
 * is computed is an argument.
 * Invariant: a code is good for its own time step and the one before and after it, and never again once a step was used.
 */

export const totpStepMs = 30_000;
const digits = 6;
const stepsOff = 1;

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, without padding. */
export function base32Of(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let left = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (left += 8; left >= 5; left -= 5) text += base32[(bits >>> (left - 5)) & 31];
    bits &= 0xff;
  }
  return left > 0 ? text + base32[(bits << (5 - left)) & 31] : text;
}

/** Null for what is no Base32. */
export function bytesOfBase32(text: string): Uint8Array | null {
  const bytes: number[] = [];
  let bits = 0;
  let left = 0;
  for (const char of text) {
    const value = base32.indexOf(char);
    if (value < 0) return null;
    bits = ((bits << 5) | value) & 0xfff;
    left += 5;
    if (left < 8) continue;
    left -= 8;
    bytes.push((bits >>> left) & 0xff);
  }
  return Uint8Array.from(bytes);
}

/** SHA-1, which authenticator apps expect: HMAC does not need it to be free of collisions. */
export type Hmac = (key: Uint8Array, message: Uint8Array) => Uint8Array;

/** RFC 4226. */
export function codeAt(hmac: Hmac, secret: Uint8Array, step: number, length: number = digits): string {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const mac = hmac(secret, new Uint8Array(counter.buffer));
  const view = new DataView(mac.buffer, mac.byteOffset, mac.byteLength);
  const number = view.getUint32((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 10 ** length).padStart(length, '0');
}

export interface TotpState {
  readonly secret: Uint8Array;
  /** The step of the code that was used last. */
  readonly lastStep: number;
}

/** The step whose code it is; null for a wrong one, and for one of a step that was used, or lies before it. */
export function stepOf(
  hmac: Hmac,
  { secret, lastStep }: TotpState,
  code: string,
  nowMs: number,
): number | null {
  const now = Math.floor(nowMs / totpStepMs);
  let found: number | null = null;
  // All are computed, so that the time says nothing.
  for (let step = now - stepsOff; step <= now + stepsOff; step++)
    if (step >= 0 && codeAt(hmac, secret, step) === code && step > lastStep) found = step;
  return found;
}

/** The URI in the QR code that authenticator apps read. */
export function otpauthUri(account: string, secret: string): string {
  const label = `${encodeURIComponent('Knell')}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=Knell&algorithm=SHA1&digits=${digits}&period=${totpStepMs / 1000}`;
}
