/**
 * The page of how the account sends e-invoices, for admins: the seller's address, the connection with its state, and the rules that
 * e-invoices are tested against. Only the operator connects an account, on the command line.
 */
import type * as z from "zod";
import { missingOfSeller } from "../../domain/einvoice/readiness.ts";
import {
  checkConnection,
  readConnection,
} from "../../features/documents/einvoice-connections/check-connection.ts";
import type { EinvoiceConnection } from "../../features/documents/einvoice-connections/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { ledgerTitle, printsItself } from "../../platform/commands/connected-ledger.ts";
import { Form, Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { EINVOICE_FORMATS } from "../parts/einvoice-format-names.ts";
import { FactList, Facts } from "../parts/facts.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import { Pill } from "../parts/values.tsx";
import { einvoiceSettingsWords } from "./einvoice-settings-words.ts";

const EINVOICES = "/settings/einvoices";
const CHECK = `${EINVOICES}/check` as const;

type Connection = z.output<typeof EinvoiceConnection>;

const PILLS = {
  none: "warn",
  connected: "ok",
  unauthorized: "bad",
  unavailable: "warn",
} as const satisfies Record<Connection["state"], string>;

export const einvoiceSettingsPages: readonly WebPage[] = [
  definePage(`GET ${EINVOICES}`, "hidden", show),
  definePage(`POST ${CHECK}`, "hidden", async ({ cx }) => {
    await checkConnection(cx);
    return { redirect: EINVOICES, notice: { done: "connection_checked" } };
  }),
];

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader } = request;
  const words = einvoiceSettingsWords(reader.language);
  if (printsItself(cx.ledger)) {
    const content = (
      <>
        <SettingsTabs current={EINVOICES} />
        <p class="card pad">{words.by_ledger(ledgerTitle(cx.ledger))}</p>
      </>
    );
    return { title: words.title, lead: words.lead, content };
  }
  const connection = JSON.parse(await readConnection(cx)) as Connection;
  const { seller, vat_domestic_country } = await getConfiguration(cx);
  const missing = missingOfSeller(seller, vat_domestic_country);
  const content = (
    <>
      <SettingsTabs current={EINVOICES} />
      <div class="stack">
        <Sender connection={connection} missing={missing} />
        <Connected request={request} connection={connection} />
        <Rules connection={connection} />
      </div>
    </>
  );
  return { title: words.title, lead: words.lead, content };
}

function Sender(props: { connection: Connection; missing: ReturnType<typeof missingOfSeller> }) {
  const { connection, missing } = props;
  const { language } = useReader();
  const words = einvoiceSettingsWords(language);
  const { sender } = connection;
  return (
    <Facts title={words.sender} id="sender">
      <p>{sender === null ? words.no_sender : <code>{sender}</code>}</p>
      {missing.length > 0 && (
        <div class="notice bad">
          <p>{words.missing}</p>
          <ul>
            {missing.map(({ message, rule }) => (
              <li>
                {message[language]} <span class="quiet small">{rule}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p>
        <a class="link" href="/settings/company">
          {words.to_company}
        </a>
      </p>
    </Facts>
  );
}

function Connected({ request, connection }: { request: PageRequest; connection: Connection }) {
  const words = einvoiceSettingsWords(useReader().language);
  const { kind, state, formats, envelope, checked_at, last_error } = connection;
  if (kind === "none") {
    return (
      <Facts title={words.connection} id="connection">
        <p>{words.not_connected}</p>
        <p class="soft">
          {words.connect_by} <code>matchbook einvoice connect</code>
        </p>
      </Facts>
    );
  }
  return (
    <Facts title={words.connection} id="connection">
      <FactList
        facts={[
          { name: words.kind, value: words.kinds[kind] },
          { name: words.state, value: <Pill kind={PILLS[state]}>{words.states[state]}</Pill> },
          { name: words.formats, value: formats.map((one) => EINVOICE_FORMATS[one]).join(", ") },
          ...(envelope === "sbd" ? [{ name: words.envelope, value: words.sbd }] : []),
          { name: words.checked, value: <Moment at={checked_at} /> },
          ...(last_error === null
            ? []
            : [{ name: words.reason, value: <span lang="en">{last_error}</span> }]),
        ]}
      />
      {state !== "connected" && state !== "none" && <p class="soft">{words.meanings[state]}</p>}
      <Form action={CHECK} csrf={request.csrf(CHECK)}>
        <button type="submit" class="button">
          {words.check_now}
        </button>
      </Form>
    </Facts>
  );
}

function Rules({ connection: { rules } }: { connection: Connection }) {
  const words = einvoiceSettingsWords(useReader().language);
  return (
    <Facts title={words.rules} id="rules">
      <FactList
        facts={[
          { name: "EN 16931", value: rules.en16931 },
          { name: "Peppol BIS Billing", value: rules.bis },
          { name: "OIOUBL", value: rules.oioubl },
          { name: "Factur-X", value: rules.factur_x },
        ]}
      />
      <p class="soft">{words.rules_hint}</p>
    </Facts>
  );
}
