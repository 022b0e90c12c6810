/** A field of a form that the browser fills with the answer of a passkey, and the button that asks for it. */
import { Island } from "./island.tsx";
import { island, type PasskeyProps } from "./passkey-button.tsx";

export function PasskeyField(props: PasskeyProps) {
  return <Island of={island} with={props} />;
}
