/** Opens the services that all surfaces use, on a migrated database. Only this file names connectors. */

import type { EinvoiceConnector } from "./einvoice/connector.ts";
import { folderConnector } from "./einvoice/connectors/folder/connector.ts";
import { phossApConnector } from "./einvoice/connectors/phoss-ap/connector.ts";
import { sftpConnector } from "./einvoice/connectors/sftp/connector.ts";
import type { ReceiverRegister } from "./einvoice/receiver-register.ts";
import { peppolRegister } from "./einvoice/registers/peppol.ts";
import { einvoiceSetupOf } from "./features/documents/einvoice-connections/open-access-point.ts";
import {
  type ConnectionDeps,
  connectionOf,
  setupOf,
} from "./features/ledger/connections/connection.ts";
import type { Connector } from "./ledger/connector.ts";
import { builtinLedger } from "./ledger/connectors/builtin/connector.ts";
import { dineroConnector } from "./ledger/connectors/dinero/connector.ts";
import { trytonConnector } from "./ledger/connectors/tryton/connector.ts";
import type { Connection } from "./ledger/ledger.ts";
import { closeDatabase } from "./platform/database/database.ts";
import { openPools, type PoolSizes, poolSizesOf } from "./platform/database/pools.ts";
import { watchDatabase } from "./platform/database/watch.ts";
import { Shares } from "./platform/fairness/limits/shares.ts";
import { openHold } from "./platform/mail/hold.ts";
import { openMailTransports } from "./platform/mail/transports.ts";
import { openBackground } from "./platform/runtime/background.ts";
import { systemClock } from "./platform/runtime/clock.ts";
import type { Config } from "./platform/runtime/config.ts";
import type { Log } from "./platform/runtime/log.ts";
import { openMetrics } from "./platform/runtime/metrics.ts";
import type { Services } from "./platform/runtime/services.ts";
import { openSealing } from "./platform/security/sealing.ts";

interface OpenedServices {
  readonly services: Services;
  close(): Promise<void>;
}

/** Opens the services of a process or a thread with separate pools. `sizes` default to those of a listening process. */
export function openServices(
  config: Config,
  database_url: string,
  log: Log,
  overrides: Partial<Services> = {},
  sizes: PoolSizes = poolSizesOf(config),
): OpenedServices {
  const pools = openPools(database_url, sizes, log);
  const background = openBackground(pools.gate, config.background);
  const sealing = openSealing(config);
  const services: Services = {
    config,
    pools,
    db: pools.requests,
    gate: pools.gate,
    watch: watchDatabase(Object.values(pools), log),
    clock: systemClock,
    log,
    mail: openMailTransports(config, openHold(pools.background, background)),
    background,
    metrics: openMetrics(),
    shares: new Shares(config.in_flight),
    heavy: null,
    ...ledgersOf({ config, pools, background, sealing, log }),
    receivers: openReceivers(config),
    einvoice_setups: new Map(
      einvoiceConnectors.map((one) => [one.kind, einvoiceSetupOf(one, { config, sealing })]),
    ),
    sealing,
    plan_commit: null,
    checks_replies: false,
    ...overrides,
  };
  return {
    services,
    async close() {
      await services.mail.close();
      await services.watch.stop();
      await Promise.all(Object.values(pools).map(closeDatabase));
    },
  };
}

/** The time limit of one look-up of a receiver, in all. */
const LOOKUP_MS = 5_000;

/** Opens the register of receivers of e-invoices; null while look-ups are off. */
export function openReceivers(config: Config): ReceiverRegister | null {
  const { einvoice_lookup: lookup, einvoice_dns: dns, einvoice_hosts: hosts } = config;
  return lookup === null ? null : peppolRegister({ lookup, dns, hosts, most_ms: LOOKUP_MS });
}

/** The connectors of external accounting systems. */
const connectors: readonly Connector[] = [dineroConnector, trytonConnector];

/** The connectors of what takes e-invoices. */
const einvoiceConnectors: readonly EinvoiceConnector[] = [
  folderConnector,
  sftpConnector,
  phossApConnector,
];

function ledgersOf(deps: Omit<ConnectionDeps, "chart">): Pick<Services, "ledgers" | "setups"> {
  if (!builtinLedger.transactional) throw new Error("the built-in ledger is transactional");
  const whole = { ...deps, chart: builtinLedger };
  const ledgers = [builtinLedger, ...connectors.map((one) => connectionOf(one, whole))];
  return {
    ledgers: new Map<string, Connection>(ledgers.map((one) => [one.kind, one])),
    setups: new Map(connectors.map((one) => [one.kind, setupOf(one, whole)])),
  };
}
