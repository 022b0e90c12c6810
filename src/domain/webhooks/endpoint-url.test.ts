/** The addresses that an endpoint may have, in all their spellings. */
import { describe, expect, it } from "vitest";
import { Problem } from "../base/problem.ts";
import { type AllowedHosts, isReachable, reachOf, requireEndpointUrl } from "./endpoint-url.ts";

const NOTHING: AllowedHosts = { hosts: [], networks: [] };

/** The code of the refusal; `allowed` without one. */
function checked(url: string, allowed: AllowedHosts = NOTHING): string {
  try {
    requireEndpointUrl(url, allowed);
    return "allowed";
  } catch (error) {
    const [fault] = error instanceof Problem ? (error.extras.field_errors ?? []) : [];
    return fault?.field === "url" ? fault.code : String(error);
  }
}

/** Spellings of addresses of this machine and of networks that are not public, as the parts of URLs. */
const INNER = [
  ..."127.0.0.1 127.1 127.0.1 0x7f.1 0x7f000001 2130706433 017700000001 0177.0.0.1 127.000.000.001".split(
    " ",
  ),
  ..."0x7f.0x0.0x0.0x1 0177.0x0.0.1 127.0.0.1. 127.0.0x1 127.255.255.254 0 0.0.0.0 0x0 00 0.0".split(
    " ",
  ),
  ..."10.0.0.1 10.1 0xa.1 0x0a000001 167772161 012.0.0.1 012.1 10.255.255.255 0xA000001".split(" "),
  ..."172.16.0.1 172.31.255.255 0xac100001 2886729729 0254.020.0.1 172.16.1 192.168.0.1 192.168.1".split(
    " ",
  ),
  ..."0xc0a80001 3232235521 0300.0250.0.1 0300.0xa8.1 169.254.169.254 0xa9fea9fe 2852039166".split(
    " ",
  ),
  ..."0251.0376.0251.0376 169.254.43518 169.16689662 100.64.0.1 100.127.255.254 1681915905".split(
    " ",
  ),
  ..."192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 192.88.99.1".split(
    " ",
  ),
  ..."224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 4294967295 0xffffffff 037777777777".split(
    " ",
  ),
  ...["１２７.０.０.１", "127。0。0。1", "127．0．0．1", "①②⑦.⓪.⓪.①", "０x7f.1", "%31%32%37.0.0.1"],
  ...["１０.０.０.１", "１６９.２５４.１６９.２５４", "127%2e0.0.1", "１9２.168．1。1", "⑩.0.0.1"],
  ..."[::1] [::] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1]".split(
    " ",
  ),
  ..."[::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:127.0.0.1]".split(" "),
  ..."[0:0:0:0:0:ffff:127.0.0.1] [::ffff:10.0.0.1] [::ffff:a00:1] [::ffff:169.254.169.254]".split(
    " ",
  ),
  ..."[::ffff:a9fe:a9fe] [::ffff:192.168.0.1] [::ffff:0.0.0.0] [::ffff:0:127.0.0.1]".split(" "),
  ..."[64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [64:ff9b::a9fe:a9fe]".split(" "),
  ..."[64:ff9b:1::1] [64:ff9b:1::808:808] [64:ff9b:1:ffff::a00:1]".split(" "),
  ..."[2002:7f00:1::] [2002:a00:1::1] [2002:a9fe:a9fe::] [2002:c0a8:1::] [2002:0:0::1]".split(" "),
  ..."[2001::1] [2001:0:7f00:1::f7f7:f7f7] [2001:0:808:808::80ff:fffe] [2001:0:808:808::f5ff:fffe]".split(
    " ",
  ),
  ..."[2001:0:808:808:0:0:5601:5601] [2001:2::1] [2001:10::1] [2001:1ff::1] [2001:db8::1]".split(
    " ",
  ),
  ..."[2001:db8:ffff::1] [3fff::1] [3fff:fff::1] [fe80::1] [febf::1] [fec0::1] [fc00::1] [fd00::1]".split(
    " ",
  ),
  ..."[fdff:ffff::1] [ff00::1] [ff02::1] [ff0e::1] [100::1] [100:0:0:1::1] [5f00::1] [4000::1]".split(
    " ",
  ),
  ..."[8000::1] [0:1::1] [1::] [::2] [::ffff] [200::1] [400::1] [e000::1]".split(" "),
  ..."0177.1 0x7f.0.1 127.0x0.1 0x7F.0.0.1 0300.0250.1 0xc0.0xa8.0.1 0xac.0x10.0.1 0254.16.1".split(
    " ",
  ),
  ..."0x64400001 1684275201 0xe0000001 3758096385 0xf0000001 0xc0000201 0xc6120001 0xcb007101".split(
    " ",
  ),
  ..."[::ffff:6440:1] [::ffff:ac10:1] [64:ff9b::c0a8:1] [2002:ac10:1::] [2002:6440:1::]".split(" "),
];

it("there are at least 150 spellings", () => {
  expect(new Set(INNER).size).toBeGreaterThanOrEqual(150);
});

describe("an address that is not public", () => {
  it.each(INNER)("is refused as %s", (host) => {
    expect(checked(`https://${host}/hook`)).toBe("not_allowed");
    // The connection asks the same rule, for every address that it finds.
    const address = new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, "");
    expect(isReachable(address, { has_public: true }, [])).toBe(false);
  });
});

it.each([
  ["https://example.com/hook", "allowed"],
  ["https://example.com:8443/hook?a=b#c", "allowed"],
  ["https://8.8.8.8/", "allowed"],
  ["https://134744072/", "allowed"],
  ["https://[2a01:4f8::1]/", "allowed"],
  ["https://[::ffff:8.8.8.8]/", "allowed"],
  ["https://[64:ff9b::8.8.8.8]/", "allowed"],
  ["https://[2002:808:808::1]/", "allowed"],
  // A name is checked when it is connected to.
  ["https://localhost/", "allowed"],
  ["https://bücher.example/", "allowed"],
  ["example.com", "invalid_format"],
  ["", "invalid_format"],
  ["https://", "invalid_format"],
  ["https://exa mple.com", "invalid_format"],
  ["https://1.2.3.4.5", "invalid_format"],
  ["https://256.1.1.1", "invalid_format"],
  ["https://[fe80::1%25eth0]/", "invalid_format"],
  ["/hook", "invalid_format"],
  ["http://example.com/hook", "not_allowed"],
  ["ftp://example.com/", "not_allowed"],
  ["javascript:alert(1)", "not_allowed"],
  ["file:///etc/passwd", "not_allowed"],
  ["https://user@example.com/", "not_allowed"],
  ["https://:secret@example.com/", "not_allowed"],
  ["https://example.com:22/", "not_allowed"],
  ["https://example.com:25/", "not_allowed"],
  ["https://example.com:6667/", "not_allowed"],
  ["https://example.com:0/", "not_allowed"],
])("%s is %s", (url, expected) => {
  expect(checked(url)).toBe(expected);
});

describe("what the operator lists", () => {
  it.each<[string, string[], string[], string]>([
    ["http://127.0.0.1:8080/", ["127.0.0.1"], [], "allowed"],
    ["http://127.0.0.1:8080/", ["127.0.0.1:8080"], [], "allowed"],
    ["http://127.0.0.1:8081/", ["127.0.0.1:8080"], [], "not_allowed"],
    ["http://127.1:8080/", ["127.0.0.1:8080"], [], "allowed"],
    ["https://[::1]/", ["[::1]"], [], "allowed"],
    ["http://n8n.internal/", ["n8n.internal"], [], "allowed"],
    ["http://n8n.internal/", ["n8n.internal:80"], [], "allowed"],
    ["https://n8n.internal/", ["n8n.internal:80"], [], "allowed"],
    ["http://n8n.internal.example/", ["n8n.internal"], [], "not_allowed"],
    ["http://n8n.internal:25/", ["n8n.internal"], [], "not_allowed"],
    ["http://n8n.internal:25/", ["n8n.internal:25"], [], "allowed"],
    ["http://a@n8n.internal/", ["n8n.internal"], [], "not_allowed"],
    ["ftp://n8n.internal/", ["n8n.internal"], [], "not_allowed"],
    ["https://10.1.2.3/", [], ["10.0.0.0/8"], "allowed"],
    ["http://10.1.2.3/", [], ["10.0.0.0/8"], "allowed"],
    ["http://11.1.2.3/", [], ["10.0.0.0/8"], "not_allowed"],
    ["http://8.8.8.8/", [], ["10.0.0.0/8"], "not_allowed"],
    ["https://192.168.0.1/", [], ["10.0.0.0/8"], "not_allowed"],
    ["http://name.internal/", [], ["10.0.0.0/8"], "allowed"],
    ["https://[::ffff:10.1.2.3]/", [], ["10.0.0.0/8"], "allowed"],
  ])("%s with the hosts %j and the networks %j is %s", (url, hosts, networks, expected) => {
    expect(checked(url, { hosts, networks })).toBe(expected);
  });

  it("leads a name to public addresses by https alone, and into the networks by both", () => {
    const allowed = { hosts: [], networks: ["10.0.0.0/8"] };
    const reached = (scheme: string) => {
      const reach = reachOf(new URL(`${scheme}://name.example/`), allowed);
      return ["8.8.8.8", "10.1.2.3", "192.168.0.1"].filter(
        (address) => reach !== null && isReachable(address, reach, allowed.networks),
      );
    };
    expect(reached("https")).toEqual(["8.8.8.8", "10.1.2.3"]);
    expect(reached("http")).toEqual(["10.1.2.3"]);
  });
});
