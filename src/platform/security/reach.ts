/** Which hosts may be called, and whether the connected address may be this machine, by the settings of the service. */
import type { Loopback } from "./allowed-address.ts";

/** The hosts that may be reached. */
export interface Reach {
  /** The vendor's hosts. */
  readonly known: readonly string[];
  /** `host` or `host:port` from the settings of the service. */
  readonly listed: readonly string[];
  /** A sandbox account reaches only this machine. */
  readonly is_sandbox: boolean;
}

/**
 * Returns the rule for connecting to a URL; null when the URL is not allowed. Only https is allowed, except for this machine. A
 * vendor's host is never this machine. This machine has to be listed, and is the only one that a sandbox account reaches.
 */
export function ruleFor(url: URL, { known, listed, is_sandbox }: Reach): Loopback | null {
  const is_secure = url.protocol === "https:";
  if (url.username !== "" || url.password !== "" || !(is_secure || url.protocol === "http:")) {
    return null;
  }
  const port = url.port === "" ? (is_secure ? "443" : "80") : url.port;
  const is_listed = listed.includes(url.hostname) || listed.includes(`${url.hostname}:${port}`);
  if (is_listed) return is_sandbox || !is_secure ? "only" : "any";
  const is_known = is_secure && port === "443" && known.includes(url.hostname);
  return is_known && !is_sandbox ? "never" : null;
}
