/**
 * Looks up names that strangers choose by DNS, without the system's look-up: that one has a few threads for the whole process,
 * which names with a silent DNS server would occupy.
 */
import { lookup } from "node:dns";
import { Resolver } from "node:dns/promises";
import type { LookUp } from "./allowed-address.ts";

const TRY_MS = 2_500;

/**
 * Returns a look-up for one connection. `by_system` is for installations whose operator lists hosts: such a name may be one of the
 * machine's own files. The signal ends it.
 */
export function openLookUp(by_system: boolean, signal: AbortSignal): LookUp {
  if (by_system) return lookup;
  return (hostname, _options, looked) => {
    addressesOf(hostname, signal).then(
      (found) => looked(null, found),
      (error) => looked(error, []),
    );
  };
}

async function addressesOf(hostname: string, signal: AbortSignal) {
  // No DNS server decides what these names are.
  if (/(^|\.)localhost\.?$/i.test(hostname)) return [{ address: "127.0.0.1", family: 4 }];
  const resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const [short, long] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const found = [
      ...(short.status === "fulfilled" ? short.value : []).map((address) => ({
        address,
        family: 4,
      })),
      ...(long.status === "fulfilled" ? long.value : []).map((address) => ({ address, family: 6 })),
    ];
    if (found.length === 0 && short.status === "rejected") throw short.reason;
    return found;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
