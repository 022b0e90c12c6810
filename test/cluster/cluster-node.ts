/**
 * One node of the cluster: PostgreSQL with Patroni, with the configuration of `deploy/cluster`, behind gates that cut it off from
 * etcd and from the other nodes.
 */
import type { ChildProcess } from "node:child_process";
import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { mountDisk, type SmallDisk } from "./disk.ts";
import type { Gate } from "./gate.ts";
import { give, killAllIn, makeFolder, sendSignal, startServer, until } from "./processes.ts";

/** The folder with the files of the cluster. */
export const CONFIGURATION = join(packageRoot, "deploy", "cluster");
const OF_DEBIAN = "/usr/lib/postgresql";
/** The password of every role. */
export const PASSWORD = "loopback";

/** The folder with the programs of the newest PostgreSQL of Debian's packages; undefined without one. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(OF_DEBIAN)) return undefined;
  const versions = readdirSync(OF_DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(OF_DEBIAN, version, "bin"))
    .find((folder) => existsSync(join(folder, "postgres")));
}

export class ClusterNode {
  readonly name: string;
  readonly folder: string;
  /** The ports of the server and of Patroni without a gate. */
  readonly port: number;
  readonly api_port: number;
  readonly disk: SmallDisk | null;
  readonly #gates: readonly Gate[];
  #patroni: ChildProcess | undefined;

  constructor(
    name: string,
    folder: string,
    ports: { port: number; api_port: number },
    gates: readonly Gate[],
  ) {
    this.name = name;
    this.folder = folder;
    this.port = ports.port;
    this.api_port = ports.api_port;
    this.#gates = gates;
    this.disk = mountDisk(makeFolder(folder, "disk"));
    copyFileSync(join(CONFIGURATION, "create-database"), join(folder, "create-database"));
    give(join(folder, "create-database"));
  }

  /** Starts Patroni, which starts PostgreSQL. */
  start(): void {
    const [of_server, of_api, of_etcd] = this.#gates;
    this.#patroni = startServer(["patroni", join(CONFIGURATION, "patroni.yml")], {
      folder: this.folder,
      environment: {
        PATRONI_NAME: this.name,
        PATRONI_ETCD3_HOSTS: `127.0.0.1:${of_etcd?.port}`,
        // Otherwise Patroni asks etcd for its addresses, and passes by the gate.
        PATRONI_ETCD3_USE_PROXIES: "true",
        PATRONI_RESTAPI_LISTEN: `127.0.0.1:${this.api_port}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${of_api?.port}`,
        PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${this.port}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${of_server?.port}`,
        PATRONI_POSTGRESQL_DATA_DIR: join(this.folder, "disk", "data"),
        PATRONI_POSTGRESQL_BIN_DIR: postgresPrograms() ?? "",
        PATRONI_POSTGRESQL_PGPASS: join(this.folder, "pgpass"),
        PATRONI_SUPERUSER_PASSWORD: PASSWORD,
        PATRONI_REPLICATION_PASSWORD: PASSWORD,
        MATCHBOOK_OWNER_PASSWORD: PASSWORD,
        MATCHBOOK_SERVE_PASSWORD: PASSWORD,
      },
    });
  }

  /** Ends everything of the node without a chance to clean up. */
  async kill(): Promise<void> {
    await killAllIn(this.folder);
  }

  /** Ends the node as an operator does: Patroni stops PostgreSQL, and a leader hands over. */
  async stop(): Promise<void> {
    const patroni = this.#patroni;
    if (patroni?.pid === undefined) return;
    sendSignal(patroni.pid, "SIGTERM");
    const hasEnded = async () => patroni.exitCode !== null || patroni.signalCode !== null;
    await until(`${this.name} has ended`, hasEnded, 60_000);
  }

  /** Cuts the node off from etcd and from the other nodes; clients still reach it. */
  cut(): void {
    for (const gate of this.#gates) gate.cut();
  }

  heal(): void {
    for (const gate of this.#gates) gate.heal();
  }

  /** Ends the node and its gates, and unmounts its disk. */
  async end(): Promise<void> {
    await this.kill();
    for (const gate of this.#gates) await gate.close();
    this.disk?.unmount();
  }

  /** What Patroni says of its node; null when it does not answer. */
  async state(): Promise<NodeState | null> {
    try {
      const asked = await fetch(`http://127.0.0.1:${this.api_port}/patroni`, {
        signal: AbortSignal.timeout(2_000),
      });
      return (await asked.json()) as NodeState;
    } catch {
      return null;
    }
  }

  /** Whether Patroni answers a question about the role of its node with yes. */
  async is(role: "leader" | "synchronous"): Promise<boolean> {
    try {
      const asked = await fetch(`http://127.0.0.1:${this.api_port}/${role}`, {
        signal: AbortSignal.timeout(2_000),
      });
      return asked.status === 200;
    } catch {
      return false;
    }
  }
}

interface NodeState {
  readonly state: string;
  readonly role: string;
  readonly timeline?: number;
  /** Of a leader: the nodes that receive its log. */
  readonly replication?: readonly { readonly state: string; readonly sync_state: string }[];
}
