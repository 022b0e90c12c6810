/** Which addresses the whole internet reaches: hosts that strangers name are asked at these alone. */
import { BlockList, isIP } from "node:net";

/** Ranges that are private, shared, of one link, of examples, of tests, multicast or reserved (registries of IANA). */
const special = blockList([
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24",
  "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24",
  "224.0.0.0/4 240.0.0.0/4",
]);
/** The IPv6 range that is routed; without addresses that stand for IPv4 ones, such as `::ffff:10.0.0.1`. */
const routed = blockList(["2000::/3"]);
/** Its parts that are reserved, or tunnels to IPv4 addresses. */
const routed_specially = blockList(["2001::/23 2001:db8::/32 2002::/16 3fff::/20"]);

/** Whether an IP address is public. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, "ipv4");
  return routed.check(address, "ipv6") && !routed_specially.check(address, "ipv6");
}

function blockList(lines: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of lines.flatMap((line) => line.split(" "))) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), isIP(network) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
