/** What Knell uses of `http_ece`, which has no types: https://github.com/web-push-libs/encrypted-content-encoding. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface Parameters {
    readonly version: string;
    /** Public key of the receiver. */
    readonly dh: Buffer;
    readonly authSecret: Buffer;
    readonly privateKey: ECDH;
    /** 16 random bytes if absent. */
    readonly salt?: Buffer;
  }

  export function encrypt(text: Buffer, parameters: Parameters): Buffer;
}
