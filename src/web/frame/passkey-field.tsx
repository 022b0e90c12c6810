/** A field of a form that the browser fills with the answer of a passkey, and the button that asks for it. */
import { Island } from "./island.tsx";
import { island, type PasskeyProps } from "./passkey-button.tsx";
import { useReader } from "./reader.ts";

export function PasskeyField(props: Omit<PasskeyProps, "failed">) {
  const failed = useReader().words.factors.passkey_failed;
  return <Island of={island} with={{ ...props, failed }} />;
}
