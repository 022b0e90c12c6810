/** The network of an address: the part that a sender cannot choose. */
import { expect, it } from "vitest";
import { networkOf } from "./rate-counter.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8::3:4:5:6", "2001:db8:0:0::/64"],
  ["1::3:4:5:6:7:8", "1:0:3:4::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["203.0.113.7:51234", "203.0.113.7"],
  ["[2001:db8:1:2::9]:51234", "2001:db8:1:2::/64"],
  ["[2001:db8:1:2::9]", "2001:db8:1:2::/64"],
  ["::1", "::1"],
  ["junk", "junk"],
])("%s belongs to the network %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
