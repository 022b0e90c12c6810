/** `matchbook einvoice lookup`: asks the register of receivers of e-invoices. It needs no database. */

import { isAddress } from "../domain/einvoice/address-form.ts";
import { openReceivers } from "../open-services.ts";
import { readConfig } from "../platform/runtime/config.ts";
import { answer, optionsOf, UsageError } from "./cli-options.ts";

/** Shows what the register says of one address. Ends with 1 while look-ups are off. */
export async function einvoiceLookup([address, ...argv]: readonly string[]): Promise<number> {
  if (!address || address.startsWith("-")) {
    throw new UsageError(
      "The first argument is the address to look up, such as 0088:5798009811578.",
    );
  }
  const options = optionsOf(argv, { json: { type: "boolean" } });
  if (!isAddress(address)) throw new UsageError("Not an address such as 0088:5798009811578.");
  const receivers = openReceivers(readConfig(process.env));
  if (receivers === null) {
    throw new Error(
      "Look-ups are off: set MATCHBOOK_EINVOICE_LOOKUP to production, test or a DNS zone.",
    );
  }
  const found = await receivers.find(address, new AbortController().signal);
  const { registered, formats, answers, reason } = found;
  answer(options, { address, source: receivers.source, ...found }, [
    `${address} in ${receivers.source}: ${SAID[registered]}${reason === null ? "" : ` ${reason}`}`,
    ...(registered === "yes" ? [`Formats: ${formats.join(", ") || "none of ours"}.`] : []),
    ...(answers ? ["It is registered for answers to invoices."] : []),
  ]);
  return 0;
}

const SAID = {
  yes: "registered.",
  no: "not registered. A Danish business may be registered for OIOUBL, which this register does not tell.",
  unknown: "not known.",
} as const;
