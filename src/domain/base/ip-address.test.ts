/** Addresses that a host of a stranger may have, and those that would lead into the operator's own networks. */
import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAddress, isPublicAddress, isWithin } from "./ip-address.ts";

it.each([
  "8.8.8.8",
  "185.203.12.1",
  "172.32.0.1",
  "100.128.0.1",
  "2a01:4f8::1",
  "2001:4860::8",
  "::ffff:8.8.8.8",
  "::ffff:808:808",
  "64:ff9b::8.8.8.8",
  "2002:808:808::1",
  "2001:0:808:808:0:0:f7f7:f7f7",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  ..."0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.9".split(" "),
  ..."169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1".split(" "),
  ..."192.168.1.1 198.18.0.1 198.19.9.9 198.51.100.7 203.0.113.9 224.0.0.1".split(" "),
  ..."239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::127.0.0.1".split(" "),
  ..."::ffff:10.0.0.1 ::ffff:7f00:1 ::ffff:0:7f00:1 64:ff9b::a00:1 64:ff9b:1::808:808".split(" "),
  ..."2001:db8::1 2001::1 2001:0:a00:1::f7f7:f7f7 2001:0:808:808::f5ff:fffe".split(" "),
  ..."2001:10::1 2001:20::1 2002:a00:1:: 2002:7f00:1::8 3fff::1 100::1 fc00::1".split(" "),
  ..."fdff::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 4000::1 5f00::1".split(" "),
  ..."017700000001 0x7f.1 127.1 8.8.8 8.8.8.8.8 08.8.8.8 8.8.8.256 example.com [2a01::1]".split(
    " ",
  ),
  ..."2a01:::1 2a01::1::2 2a01 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 2a01::12345 2a01::1.2.3".split(" "),
])("%s is not", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it("never takes an address of the machine or its networks, whatever the spelling", () => {
  const inner = fc
    .tuple(fc.constantFrom("10.%", "127.%", "192.168.%", "172.16.%", "169.254.%"), fc.ipV4())
    .map(([start, rest]) => start.replace("%", rest).split(".").slice(0, 4).join("."));
  const words = (address: string): string => {
    const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  };
  fc.assert(
    fc.property(inner, (address) => {
      const spellings = [
        ...[address, `::ffff:${address}`, `::ffff:${words(address)}`, `64:ff9b::${address}`],
        ...[`2002:${words(address)}::1`, `2001:0:${words(address)}::f7f7:f7f7`, `::${address}`],
      ];
      expect(spellings.filter(isPublicAddress)).toEqual([]);
    }),
  );
});

describe("a network", () => {
  it.each<[string, string[], boolean]>([
    ["10.1.2.3", ["10.0.0.0/8"], true],
    ["::ffff:10.1.2.3", ["10.0.0.0/8"], true],
    ["11.1.2.3", ["10.0.0.0/8"], false],
    ["192.168.4.5", ["10.0.0.0/8", "192.168.4.0/24"], true],
    ["192.168.5.5", ["192.168.4.0/24"], false],
    ["10.0.0.7", ["10.0.0.7/32"], true],
    ["fd00::7", ["fd00::/8"], true],
    ["fe80::7", ["fd00::/8", "0.0.0.0/0"], false],
    ["8.8.8.8", ["0.0.0.0/0"], true],
    ["example.com", ["0.0.0.0/0"], false],
  ])("%s in %j: %s", (address, networks, expected) => {
    expect(isWithin(address, networks)).toBe(expected);
  });
});

it("reads what the system reads as an address, in any of its spellings", () => {
  const spelled = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.string({ unit: fc.constantFrom(..."0123456789abcdef:."), maxLength: 30 }),
  );
  fc.assert(
    fc.property(spelled, (text) => {
      expect([text, isAddress(text)]).toEqual([text, isIP(text) !== 0]);
    }),
    { numRuns: 2_000 },
  );
});
