/** Addresses that a host of a stranger may have, and those that would lead into the operator's own networks. */
import { expect, it } from "vitest";
import { isPublicAddress } from "./public-address.ts";

it.each(["8.8.8.8", "185.203.12.1", "172.32.0.1", "100.128.0.1", "2a01:4f8::1", "2001:4860::8"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:10.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::a00:1",
  "2001:db8::1",
  "2001::1",
  "2002:a00:1::",
  "fc00::1",
  "fe80::1",
  "ff02::1",
])("%s is not", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
