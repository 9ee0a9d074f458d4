/** Every limit of the mail listener that is not handed to it, with its reason. The others are in the limits of the program. */

/** Bytes of a PROXY header: addresses and what cloud proxies add are some hundred. The protocol asks for 536 at least. */
export const proxyHeaderBytesMax = 2048;
/** Milliseconds for a client to read the last reply before its socket is closed. */
export const lingerMs = 500;
