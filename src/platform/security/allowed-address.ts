/** Which addresses a connection may have, judged by the look-up that makes the connection, so that no second look-up can differ. */
import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "../../domain/base/ip-address.ts";

/** Whether the connected address must be this machine, must not be, or may be. */
export type Loopback = "only" | "never" | "any";
/** `public` for hosts that others name: an address that the whole internet reaches. */
export type AddressRule = Loopback | "public";

/** A look-up that finds all addresses of a name. */
export type LookUp = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  looked: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
loopback.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/** The request was not sent, because its address is not allowed; the message names only a host. */
export class AddressRefused extends Error {
  readonly code = "EACCES";
  constructor(host: string, reason = "has no address that is allowed") {
    super(`${host} ${reason}.`);
  }
}

/** Whether a failed connection was refused for its address. */
export function isRefused(cause: unknown): boolean {
  const errors = cause instanceof AggregateError ? cause.errors : [cause];
  return errors.some((error) => error instanceof AddressRefused);
}

/** Whether the rule allows an address. */
export function fits(address: string, rule: AddressRule): boolean {
  if (rule === "any") return true;
  if (rule === "public") return isPublicAddress(address);
  return loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4") === (rule === "only");
}

/**
 * Returns a look-up of allowed addresses for a connection. A host that a stranger names is refused for any address that is not
 * public: the stranger decides which of them is taken.
 */
export function lookupFor(rule: AddressRule, lookUp: LookUp = lookup): LookupFunction {
  if (rule === "public") return lookupAllowed(isPublicAddress, lookUp);
  return looking(lookUp, (found) => found.filter(({ address }) => fits(address, rule)));
}

/** Returns a look-up for a connection that refuses a name with any other address. */
export function lookupAllowed(
  isAllowed: (address: string) => boolean,
  lookUp: LookUp,
): LookupFunction {
  return looking(lookUp, (found) =>
    found.every(({ address }) => isAllowed(address)) ? found : [],
  );
}

function looking(
  lookUp: LookUp,
  choose: (found: readonly LookupAddress[]) => readonly LookupAddress[],
): LookupFunction {
  return (hostname, options, callback) => {
    const looked = (error: NodeJS.ErrnoException | null, found: LookupAddress[]): void => {
      const [first, ...others] = choose(found ?? []);
      if (error !== null) callback(error, "");
      else if (first === undefined) callback(new AddressRefused(hostname), "");
      else if (options.all) callback(null, [first, ...others]);
      else callback(null, first.address, first.family);
    };
    lookUp(hostname, { ...options, all: true }, looked);
  };
}
