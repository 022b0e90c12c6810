/**
 * The field of a customer's address for e-invoices. It says what the address is while the form is typed, and offers addresses that
 * follow from the customer's numbers. The server decides and has the texts; without scripts it says so for the stored values.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { Entry } from "../parts/entry.tsx";
import type { Refusal } from "../words/refusal.ts";
import { type AddressSaid, WATCHED } from "./address-said.ts";
import { useRegistration } from "./use-registration.ts";

export interface AddressFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly most: number;
  /** The refusal of the stored or typed value; null for none. */
  readonly refusal: Refusal | null;
  readonly said: AddressSaid;
  /** Whether receivers are looked up. */
  readonly looks_up: boolean;
  /** The text of a button that takes a proposal, without the address. */
  readonly use: string;
  /** Values that decide on the address and are no fields of the form. */
  readonly hidden: Readonly<Record<string, string>>;
}

function AddressFieldView(props: AddressFieldProps) {
  const { name, label, hint, most, refusal, use } = props;
  const { language } = useReader();
  const [typed, setTyped] = useState(props.value);
  const [said, setSaid] = useState(props.said);
  const registration = useRegistration(props.looks_up ? said.address : null, language);
  const place = useRef<HTMLDivElement>(null);
  const turn = useRef(0);
  const faults: Faults = new Map(
    refusal === null || typed !== props.value ? [] : [[name, refusal]],
  );

  async function ask(changed: Readonly<Record<string, string>>): Promise<void> {
    turn.current += 1;
    const asked = turn.current;
    const values = { ...props.hidden, ...valuesOf(place.current), ...changed };
    const answer = await send<AddressSaid>("/app/customers/address", { language, typed: values });
    // An answer to earlier values is out of date.
    if (asked === turn.current && "done" in answer) setSaid(answer.done);
  }

  useEffect(() => {
    const form = place.current?.closest("form");
    const changed = ({ target }: Event) => {
      if (isField(target) && WATCHED.includes(target.name)) void ask({});
    };
    form?.addEventListener("change", changed);
    return () => form?.removeEventListener("change", changed);
  }, []);

  return (
    <div ref={place}>
      <Entry
        name={name}
        label={label}
        hint={hint}
        value={typed}
        most={most}
        faults={faults}
        note={said.is_fault ? said.text : undefined}
        more={{
          onInput: ({ currentTarget }) => {
            turn.current += 1;
            setTyped(currentTarget.value);
            setSaid({ ...said, text: "", is_fault: false, address: null, proposals: [] });
          },
        }}
      />
      <p class="tiny soft" role="status">
        {said.is_fault ? "" : `${said.text} ${registration}`.trim()}
      </p>
      <Proposals
        addresses={said.proposals}
        use={use}
        onUse={(address) => {
          setTyped(address);
          void ask({ [name]: address });
        }}
      />
    </div>
  );
}

/** Shows addresses that a person may accept, by a button where scripts run. */
function Proposals(props: {
  addresses: readonly string[];
  use: string;
  onUse(address: string): void;
}) {
  const is_alive = useAlive();
  return (
    <>
      {props.addresses.map((address) => (
        <p key={address}>
          {is_alive ? (
            <button type="button" class="button small" onClick={() => props.onUse(address)}>
              {`${props.use} ${address}`}
            </button>
          ) : (
            <code>{address}</code>
          )}
        </p>
      ))}
    </>
  );
}

function isField(target: EventTarget | null): target is HTMLInputElement | HTMLSelectElement {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

/** Returns the values of the fields that decide on the address. */
function valuesOf(place: HTMLElement | null): Record<string, string> {
  const fields = [...(place?.closest("form")?.elements ?? [])].filter(isField);
  return Object.fromEntries(
    fields.filter((field) => WATCHED.includes(field.name)).map(({ name, value }) => [name, value]),
  );
}

export const island = islandOf<AddressFieldProps>({
  name: "address-field",
  View: AddressFieldView,
});
