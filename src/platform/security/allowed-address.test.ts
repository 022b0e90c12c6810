/** The look-up of a connection: which addresses of a name it hands over. */
import type { LookupAddress } from "node:dns";
import { expect, it } from "vitest";
import { AddressRefused, type AddressRule, lookupFor } from "./allowed-address.ts";

const PUBLIC = "185.203.12.1";
const INNER = "10.0.0.7";
const OWN = "127.0.0.1";

async function connectedTo(rule: AddressRule, addresses: readonly string[]): Promise<unknown> {
  const found = addresses.map((address): LookupAddress => ({ address, family: 4 }));
  const look = lookupFor(rule, (_host, _options, looked) => looked(null, found));
  return new Promise((resolve) => {
    look("example.com", { all: true }, (error, handed_over) =>
      resolve(
        error === null
          ? (handed_over as LookupAddress[]).map(({ address }) => address)
          : error instanceof AddressRefused && error.message,
      ),
    );
  });
}

const REFUSED = "example.com has no address that is allowed.";

it.each<[AddressRule, string[], unknown]>([
  ["public", [PUBLIC], [PUBLIC]],
  ["public", [PUBLIC, "8.8.8.8"], [PUBLIC, "8.8.8.8"]],
  ["public", [PUBLIC, INNER], REFUSED],
  ["public", [INNER, PUBLIC], REFUSED],
  ["public", [OWN], REFUSED],
  ["public", [], REFUSED],
  ["never", [OWN, INNER], [INNER]],
  ["never", [OWN], REFUSED],
  ["only", [OWN, PUBLIC], [OWN]],
  ["only", [PUBLIC], REFUSED],
  ["any", [OWN, INNER, PUBLIC], [OWN, INNER, PUBLIC]],
])("by the rule `%s`, a name with %j has %j", async (rule, addresses, expected) => {
  expect(await connectedTo(rule, addresses)).toEqual(expected);
});
