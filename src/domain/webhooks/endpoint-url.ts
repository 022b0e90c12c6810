/**
 * Which addresses may get webhooks: https to public addresses, on ports that browsers do not block. The operator allows more by host,
 * by host and port, or by network. A name is judged by its addresses when it is connected to; here only literal ones are.
 */
import { isAddress, isPublicAddress, isWithin } from "../base/ip-address.ts";
import { invalidField } from "../base/problem.ts";

/** What the operator allows besides public addresses over https. */
export interface AllowedHosts {
  /** `host` or `host:port`, as in the URL. */
  readonly hosts: readonly string[];
  /** Networks such as `10.0.0.0/8`. */
  readonly networks: readonly string[];
}

/**
 * Where a connection for a URL may go: `any` address of a listed host, or addresses in the allowed networks, with `has_public` public
 * ones too.
 */
type EndpointReach = "any" | { readonly has_public: boolean };

/** The ports that browsers block, because other protocols use them (Fetch standard). */
const BLOCKED_PORTS = new Set(
  [
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117",
    "119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601",
    "636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679",
    "6697 10080",
  ].flatMap((line) => line.split(" ").map(Number)),
);

/** Requires a URL to which webhooks may be sent. Throws VALIDATION_FAILED: `invalid_format` or `not_allowed`. */
export function requireEndpointUrl(text: string, allowed: AllowedHosts): void {
  if (!URL.canParse(text)) throw invalidField("url", "invalid_format", "Not a URL.");
  if (reachOf(new URL(text), allowed) !== null) return;
  throw invalidField(
    "url",
    "not_allowed",
    "Only https to a public address, on a port that browsers do not block and without a user.",
  );
}

/** Returns where a connection for the URL may go; null where it may go nowhere. */
export function reachOf(url: URL, { hosts, networks }: AllowedHosts): EndpointReach | null {
  const is_secure = url.protocol === "https:";
  if (!is_secure && url.protocol !== "http:") return null;
  if (url.username !== "" || url.password !== "") return null;
  const port = url.port === "" ? (is_secure ? 443 : 80) : Number(url.port);
  if (hosts.includes(`${url.hostname}:${port}`)) return "any";
  if (BLOCKED_PORTS.has(port)) return null;
  if (hosts.includes(url.hostname)) return "any";
  // A name over http may only lead into the operator's networks.
  if (!is_secure && networks.length === 0) return null;
  const reach = { has_public: is_secure };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return !isAddress(host) || isReachable(host, reach, networks) ? reach : null;
}

/** Whether a connection may go to the address. */
export function isReachable(
  address: string,
  reach: EndpointReach,
  networks: readonly string[],
): boolean {
  if (reach === "any" || isWithin(address, networks)) return true;
  return reach.has_public && isPublicAddress(address);
}
