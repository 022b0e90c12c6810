/** An access point whose answers a test scripts, in place of phoss-ap: for what no simulation does at a chosen moment. */
import type {
  AccessPoint,
  LookOutcome,
  SubmitOutcome,
} from "../../../src/einvoice/access-point.ts";
import type { EinvoiceConnector, EinvoiceSetup } from "../../../src/einvoice/connector.ts";
import { einvoiceSetupOf } from "../../../src/features/documents/einvoice-connections/open-access-point.ts";
import type { World } from "../world/world.ts";

/** Longer than a slow machine needs for an answer. */
const MOST_WAIT_MS = 30_000;

/** What the scripted access point answers next, what it was asked, and what happens while it is asked to submit. */
export const script = {
  submit: [] as (SubmitOutcome | Promise<SubmitOutcome>)[],
  look: [] as LookOutcome[],
  asked: [] as string[],
  during: null as ((delivery_id: string) => Promise<void>) | null,
  /** How long the caller of an issue waits for it. */
  most_wait_ms: MOST_WAIT_MS,
};

const scripted: AccessPoint = {
  kind: "phoss-ap",
  envelope: "none",
  formats: ["peppol-bis-3"],
  finds: true,
  reports: true,
  check: async () => ({ state: "connected" }),
  async submit({ delivery_id }) {
    script.asked.push(`submit ${delivery_id}`);
    await script.during?.(delivery_id);
    return (await script.submit.shift()) ?? { state: "accepted" };
  },
  async look(delivery_id) {
    script.asked.push(`look ${delivery_id}`);
    return script.look.shift() ?? { state: "absent" };
  },
};
const { check: _, submit: __, look: ___, kind, ...capabilities } = scripted;
const connector: EinvoiceConnector = {
  kind,
  title: "scripted",
  fields: [],
  place: [],
  capabilities: () => capabilities,
  open: () => ({ ...scripted, most_wait_ms: script.most_wait_ms }),
};

/** Puts the scripted access point in place of phoss-ap in a world. */
export function scriptAccessPoint({ services }: World): void {
  const { config, sealing, einvoice_setups } = services;
  const setups = einvoice_setups as Map<string, EinvoiceSetup>;
  setups.set("phoss-ap", einvoiceSetupOf(connector, { config, sealing }));
}

/** Forgets the script and what was asked. */
export function forgetScript(): void {
  Object.assign(script, {
    submit: [],
    look: [],
    asked: [],
    during: null,
    most_wait_ms: MOST_WAIT_MS,
  });
}
