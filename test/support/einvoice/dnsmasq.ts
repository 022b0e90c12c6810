/** A real DNS server, Debian's dnsmasq, which knows the NAPTR records of one zone and nothing else. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { userInfo } from "node:os";

export interface DnsServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  close(): Promise<void>;
}

/** The zone of the tests, as `MATCHBOOK_EINVOICE_LOOKUP` names it. */
export const ZONE = "sml.test.example";

/** Starts the server. `publishers` are the URLs of the publishers by address, such as `0088:5798009811578`. */
export async function startDns(publishers: Readonly<Record<string, string>>): Promise<DnsServer> {
  const port = await freeUdpPort();
  const records = Object.entries({ ...publishers, "0000:ready": "https://ready.example" }).map(
    ([address, url]) => `--naptr-record=${nameOf(address)},100,10,U,Meta:SMP,!.*!${url}!`,
  );
  const other = `--naptr-record=${nameOf("0088:5790000000005")},100,10,U,Meta:Other,!.*!https://other.example!`;
  const settings = ["--keep-in-foreground", "--no-resolv", "--no-hosts", "--conf-file=/dev/null"];
  const place = [
    `--port=${port}`,
    "--listen-address=127.0.0.1",
    "--bind-interfaces",
    "--pid-file=",
  ];
  const rights = [`--user=${userInfo().username}`, `--local=/${ZONE}/`];
  const server = spawn("dnsmasq", [...settings, ...place, ...rights, ...records, other], {
    stdio: "ignore",
  });
  const address = `127.0.0.1:${port}`;
  await untilReady(server, address);
  return {
    address,
    async close() {
      server.kill();
      await once(server, "exit");
    },
  };
}

/** Computed here and not by the code under test. */
function nameOf(address: string): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  const digest = createHash("sha256").update(address.toLowerCase()).digest();
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  const letters = groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]);
  return `${letters.join("")}.iso6523-actorid-upis.${ZONE}`;
}

async function untilReady(server: ChildProcess, address: string): Promise<void> {
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([address]);
  for (;;) {
    if (server.exitCode !== null) throw new Error(`dnsmasq ended with ${server.exitCode}`);
    try {
      await resolver.resolveNaptr(nameOf("0000:ready"));
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(resolve));
  return port;
}
