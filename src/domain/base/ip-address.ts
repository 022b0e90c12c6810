/**
 * IP addresses: which ones the whole internet reaches, and which are in a network. Hosts that strangers name are asked at public
 * addresses alone. An IPv6 address that stands for an IPv4 one is judged by the address inside.
 */

interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** Ranges that are private, shared, of one link, of examples, of tests, multicast or reserved (registries of IANA). */
const SPECIAL = networksOf([
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24",
  "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24",
  "224.0.0.0/4 240.0.0.0/4",
]);
/** The IPv6 range that is routed, and its parts that are reserved or for examples. */
const ROUTED = networksOf(["2000::/3"]);
const ROUTED_SPECIALLY = networksOf(["2001::/23 2001:db8::/32 3fff::/20"]);
/** Ranges whose addresses contain an IPv4 address, with the distance of its last bit from the end. */
const CONTAINING = [
  ...networksOf(["::ffff:0:0/96 64:ff9b::/96"]).map((network) => ({ network, shift: 0n })),
  ...networksOf(["2002::/16"]).map((network) => ({ network, shift: 80n })),
];
const [TEREDO] = networksOf(["2001::/32"]);
const LAST_32 = 0xffff_ffffn;

interface Network extends Address {
  readonly prefix: number;
}

/** Whether the text is an IP address that is public. A text that is no address is not. */
export function isPublicAddress(text: string): boolean {
  const address = addressFrom(text);
  return address !== undefined && isPublic(address);
}

/** Whether the address is in one of the networks, such as `10.0.0.0/8`; a mapped IPv4 address is in those of its IPv4 address. */
export function isWithin(text: string, networks: readonly string[]): boolean {
  const address = addressFrom(text);
  if (address === undefined) return false;
  const known = networksOf(networks);
  const inside = containedIn(address);
  return known.some((network) => holds(network, address) || holds(network, inside ?? address));
}

/** Whether the text is an IP address, without brackets or a zone. */
export function isAddress(text: string): boolean {
  return addressFrom(text) !== undefined;
}

function isPublic(address: Address): boolean {
  if (address.bits === 32) return !SPECIAL.some((network) => holds(network, address));
  const inside = containedIn(address);
  if (inside !== undefined) return isPublic(inside);
  if (TEREDO !== undefined && holds(TEREDO, address)) {
    // The server is written as it is, and the client behind it with inverted bits.
    return [(address.value >> 64n) & LAST_32, (address.value & LAST_32) ^ LAST_32].every((value) =>
      isPublic({ bits: 32, value }),
    );
  }
  const isIn = (network: Network): boolean => holds(network, address);
  return ROUTED.some(isIn) && !ROUTED_SPECIALLY.some(isIn);
}

/** Returns the IPv4 address that an IPv6 address stands for; undefined where it stands for none. */
function containedIn(address: Address): Address | undefined {
  const found = CONTAINING.find(({ network }) => holds(network, address));
  if (found === undefined) return undefined;
  return { bits: 32, value: (address.value >> found.shift) & LAST_32 };
}

function holds(network: Network, { bits, value }: Address): boolean {
  const rest = BigInt(network.bits - network.prefix);
  return network.bits === bits && network.value >> rest === value >> rest;
}

function networksOf(lines: readonly string[]): Network[] {
  return lines
    .flatMap((line) => line.split(" "))
    .flatMap((text) => {
      const [start = "", prefix] = text.split("/");
      const address = addressFrom(start);
      return address === undefined ? [] : [{ ...address, prefix: Number(prefix) }];
    });
}

function addressFrom(text: string): Address | undefined {
  return text.includes(":") ? longAddress(text) : shortAddress(text);
}

/** Reads `192.0.2.1`. Other spellings of IPv4 addresses are those of URLs, which their parser has resolved. */
function shortAddress(text: string): Address | undefined {
  const parts = text.split(".");
  const is_address =
    parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && +part <= 255);
  if (!is_address) return undefined;
  return { bits: 32, value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) };
}

function longAddress(text: string): Address | undefined {
  const [, start = text, last] = /^(.*:)([^:]*\..*)$/.exec(text) ?? [];
  const inside = last === undefined ? undefined : shortAddress(last);
  if (last !== undefined && inside === undefined) return undefined;
  const words =
    inside && `${(inside.value >> 16n).toString(16)}:${(inside.value & 0xffffn).toString(16)}`;
  const halves = `${start}${words ?? ""}`.split("::");
  const [before = [], after = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - before.length - after.length;
  const is_whole = halves.length === 1 ? missing === 0 : halves.length === 2 && missing >= 1;
  const groups = [...before, ...Array<string>(is_whole ? missing : 0).fill("0"), ...after];
  if (!is_whole || !groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return {
    bits: 128,
    value: groups.reduce((value, part) => (value << 16n) | BigInt(`0x${part}`), 0n),
  };
}
