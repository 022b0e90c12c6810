/**
 * The cluster of `deploy/cluster` as plain processes on the loopback address, with the configuration from there: etcd, three
 * nodes of PostgreSQL with Patroni, and HAProxy. Nodes reach etcd and each other through gates, so that one can be cut off.
 */
import { join } from "node:path";
import { ClusterNode, CONFIGURATION, PASSWORD } from "./cluster-node.ts";
import { openGate } from "./gate.ts";
import { freePorts, killAllIn, makeFolder, startServer, until } from "./processes.ts";

export interface DatabaseCluster {
  readonly nodes: readonly ClusterNode[];
  /** The address of the service behind HAProxy, and the ports at which its two processes have to listen. */
  readonly origin: string;
  readonly app_ports: readonly [number, number];
  /** The database behind HAProxy for the given role. */
  urlOf(role: "matchbook" | "matchbook_serve"): string;
  /** The node that leads. Throws when none does within the time. */
  leader(among?: readonly ClusterNode[]): Promise<ClusterNode>;
  /** Resolves when one node leads and both others receive its log, one of them synchronously. */
  whole(): Promise<void>;
  end(): Promise<void>;
}

/** Starts all servers below the folder; resolves when the cluster is whole. */
export async function startCluster(folder: string): Promise<DatabaseCluster> {
  const [etcd_port = 0, peer_port = 0, database_port = 0, service_port = 0, app1 = 0, app2 = 0] =
    await freePorts(6);
  const etcd = makeFolder(folder, "etcd");
  startEtcd(etcd, etcd_port, peer_port);
  const nodes: ClusterNode[] = [];
  for (const name of ["node1", "node2", "node3"])
    nodes.push(await openNode(makeFolder(folder, name), name, etcd_port));
  const proxy = makeFolder(folder, "proxy");
  const apps = [app1, app2] as const;
  startProxy(proxy, nodes, { database_port, service_port, apps });
  for (const node of nodes) node.start();

  const cluster: DatabaseCluster = {
    nodes,
    origin: `http://127.0.0.1:${service_port}`,
    app_ports: apps,
    urlOf: (role) => `postgresql://${role}:${PASSWORD}@127.0.0.1:${database_port}/matchbook`,
    leader: (among = nodes) => leaderAmong(among),
    whole: () => until("the cluster is whole", () => isWhole(nodes), 120_000),
    async end() {
      for (const node of nodes) await node.kill();
      await killAllIn(proxy);
      await killAllIn(etcd);
      for (const node of nodes) await node.end();
    },
  };
  return cluster;
}

async function openNode(folder: string, name: string, etcd_port: number): Promise<ClusterNode> {
  const [port = 0, api_port = 0, gate1 = 0, gate2 = 0, gate3 = 0] = await freePorts(5);
  const gates = [
    await openGate(gate1, port),
    await openGate(gate2, api_port),
    await openGate(gate3, etcd_port),
  ];
  return new ClusterNode(name, folder, { port, api_port }, gates);
}

function startEtcd(folder: string, port: number, peer_port: number): void {
  const url = `http://127.0.0.1:${port}`;
  const peer_url = `http://127.0.0.1:${peer_port}`;
  const settings = {
    name: "etcd1",
    "data-dir": join(folder, "data"),
    "listen-client-urls": url,
    "advertise-client-urls": url,
    "listen-peer-urls": peer_url,
    "initial-advertise-peer-urls": peer_url,
    "initial-cluster": `etcd1=${peer_url}`,
  };
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  startServer(["etcd", ...args], { folder });
}

function startProxy(
  folder: string,
  nodes: readonly ClusterNode[],
  ports: { database_port: number; service_port: number; apps: readonly number[] },
): void {
  const environment: Record<string, string> = {
    DATABASE_BIND: `127.0.0.1:${ports.database_port}`,
    SERVICE_BIND: `127.0.0.1:${ports.service_port}`,
  };
  for (const [index, node] of nodes.entries()) {
    environment[`NODE${index + 1}`] = `127.0.0.1:${node.port}`;
    environment[`NODE${index + 1}_API`] = String(node.api_port);
  }
  for (const [index, port] of ports.apps.entries())
    environment[`APP${index + 1}`] = `127.0.0.1:${port}`;
  startServer(["haproxy", "-db", "-f", join(CONFIGURATION, "haproxy.cfg")], {
    folder,
    environment,
  });
}

async function leaderAmong(nodes: readonly ClusterNode[]): Promise<ClusterNode> {
  let found: ClusterNode | undefined;
  const look = async (): Promise<boolean> => {
    const leads = await Promise.all(nodes.map((node) => node.is("leader")));
    found = nodes.find((_, index) => leads[index]);
    return found !== undefined;
  };
  await until("a node leads", look, 90_000);
  if (found === undefined) throw new Error("no node leads");
  return found;
}

async function isWhole(nodes: readonly ClusterNode[]): Promise<boolean> {
  const states = await Promise.all(nodes.map((node) => node.state()));
  const leads = await Promise.all(nodes.map((node) => node.is("leader")));
  if (leads.filter(Boolean).length !== 1) return false;
  if (new Set(states.map((state) => state?.timeline)).size !== 1) return false;
  const received = states[leads.indexOf(true)]?.replication ?? [];
  const is_one_synchronous = received.some(({ sync_state }) => sync_state === "sync");
  const streaming = received.filter(({ state }) => state === "streaming");
  return is_one_synchronous && streaming.length === nodes.length - 1;
}
