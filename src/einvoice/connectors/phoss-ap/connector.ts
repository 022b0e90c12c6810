/**
 * The access point phoss-ap over HTTP. It sends while the caller waits, and tries a failed sending again by itself: its answer
 * says whether it has the document, and a look under the delivery's id says what became of it.
 */
import type { AccessPoint, EinvoiceCapabilities, LookOutcome } from "../../access-point.ts";
import type { EinvoiceConnector, EinvoiceOpening } from "../../connector.ts";
import { phossApi } from "./api.ts";
import {
  isRefusedByEngine,
  lookOutcomeFrom,
  notSentText,
  submitOutcomeFrom,
} from "./read-answer.ts";

/** An id that no delivery has: a check looks for it and expects that there is none. */
const NO_DELIVERY = "00000000-0000-0000-0000-000000000000";

const CAPABILITIES: EinvoiceCapabilities = {
  envelope: "none",
  formats: ["peppol-bis-3"],
  finds: true,
  reports: true,
};

export const phossApConnector: EinvoiceConnector = {
  kind: "phoss-ap",
  title: "phoss-ap",
  fields: [
    {
      name: "url",
      is_secret: false,
      is_required: true,
      description: "The address of the access point, such as https://ap.example, without /api.",
    },
    {
      name: "token",
      is_secret: true,
      is_required: true,
      description: "The value of X-Token that the access point expects.",
    },
  ],
  place: ["url"],
  capabilities({ url = "" }) {
    const protocol = URL.canParse(url) ? new URL(url).protocol : "";
    if (!/^https?:$/.test(protocol) || /[?#]/.test(url)) {
      throw new Error("`url` must be the address of the access point, such as https://ap.example.");
    }
    return CAPABILITIES;
  },
  open: openPhossAp,
};

function openPhossAp({ settings, secrets, request }: EinvoiceOpening): AccessPoint {
  const api = phossApi(settings.url ?? "", secrets.token ?? "", request);
  return {
    kind: "phoss-ap",
    ...phossApConnector.capabilities(settings),
    async check(call) {
      const answer = await api.status(NO_DELIVERY, call);
      if (answer.state === "not_sent") return { state: "unavailable", text: notSentText(answer) };
      if (answer.state === "lost") {
        return { state: "unavailable", text: "The access point does not answer." };
      }
      if (answer.status === 401) {
        return { state: "unauthorized", text: "The access point refuses the token." };
      }
      const is_engine =
        (answer.status === 404 || answer.status === 200) &&
        isRefusedByEngine(await api.statusWithoutToken(NO_DELIVERY, call));
      if (is_engine) return { state: "connected" };
      const text = `No phoss-ap answers at this address (status ${answer.status}).`;
      return { state: "unavailable", text };
    },
    async submit(submission, call) {
      return submitOutcomeFrom(await api.submit(submission, call));
    },
    async look(delivery_id, call): Promise<LookOutcome> {
      const found = lookOutcomeFrom(await api.status(delivery_id, call), delivery_id);
      if (found !== null) return found;
      // A machine in front of an engine that is away answers 404, too, and an absent one would be sent again.
      const is_engine = isRefusedByEngine(await api.statusWithoutToken(delivery_id, call));
      return is_engine ? { state: "absent" } : { state: "not_answered", connection: "unavailable" };
    },
  };
}
