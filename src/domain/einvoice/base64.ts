/** Base64 of bytes (RFC 4648), for files inside XML. */

/** How many bytes become characters at once: an argument each. */
const AT_ONCE = 8_192;

/** Returns the text of bytes. */
export function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + AT_ONCE)));
  }
  return btoa(parts.join(""));
}
