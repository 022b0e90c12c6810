/** Says whether an address of e-invoices is registered, and for what. It is a hint: nothing is routed by it. */
import * as z from "zod";
import { electronicAddressFault } from "../../domain/einvoice/electronic-address.ts";
import { kindOfAddress } from "../../domain/einvoice/propose-address.ts";
import { findReceiver } from "../../features/documents/einvoice-receivers/find-receiver.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { type Action, defineAction } from "../frame/action.ts";
import type { Language } from "../words/words.ts";
import type { RegistrationSaid } from "./address-said.ts";
import { receiverWords } from "./receiver-words.ts";

const Asked = z.object({ language: z.enum(["en", "da"]), address: z.string().max(130) });

export const registrationActions: readonly Action[] = [
  defineAction("/app/customers/receiver", "hidden", Asked, describeRegistration),
];

/** The kinds of addresses whose receivers may be Danish businesses. */
const MAY_BE_DANISH = ["gln", "cvr", "se_number", "p_number"];

/** Returns an empty text if nothing is known: look-ups are off, or the register did not answer. Throws RATE_LIMITED. */
async function describeRegistration(
  cx: PersonContext,
  { language, address }: { readonly language: Language; readonly address: string },
): Promise<RegistrationSaid> {
  if (electronicAddressFault(address) !== null) return { text: "" };
  const words = receiverWords(language);
  const { registered, formats } = await findReceiver(cx, address);
  if (registered === "unknown") return { text: "" };
  if (registered === "yes") {
    return {
      text: formats.includes("peppol-bis-3") ? words.registered : words.registered_otherwise,
    };
  }
  const may_be_danish = MAY_BE_DANISH.includes(kindOfAddress(address));
  return { text: may_be_danish ? words.not_in_peppol_danish : words.not_in_peppol };
}
