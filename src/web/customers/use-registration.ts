/** Asks the server whether an address is registered, once for each address that is shown. */
import { useEffect, useState } from "preact/hooks";
import { send } from "../browser/send.ts";
import type { Language } from "../words/words.ts";
import type { RegistrationSaid } from "./address-said.ts";

/** Returns what is known of the address, in words: nothing before the answer, without one, and for a null address. */
export function useRegistration(address: string | null, language: Language): string {
  const [known, setKnown] = useState({ address: "", text: "" });
  useEffect(() => {
    if (address === null) return;
    void send<RegistrationSaid>("/app/customers/receiver", { language, address }).then((answer) => {
      if ("done" in answer) setKnown({ address, text: answer.done.text });
    });
  }, [address]);
  // An answer about an earlier address is out of date.
  return known.address === address ? known.text : "";
}
