/**
 * The connection of the account's books as a page: built-in, or an accounting system with its state. An admin in person checks,
 * connects and disconnects it by the commands of the command line. Secrets are only ever sent to the service, never back.
 */
import * as z from "zod";
import { invalidField, notFound, type Problem } from "../../domain/base/problem.ts";
import {
  checkConnection,
  readConnection,
} from "../../features/ledger/connections/check-connection.ts";
import {
  connectAccount,
  disconnectAccount,
} from "../../features/ledger/connections/connect-account.ts";
import type { LedgerConnection } from "../../features/ledger/connections/schemas.ts";
import { hasBookings } from "../../features/settings/configuration/queries.ts";
import type { Connector } from "../../ledger/connector.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { askedAgain } from "../frame/ask-again.tsx";
import { defineGuarded } from "../frame/define-guarded.ts";
import { Form, Moment, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, refusedBy, submitted } from "../frame/submitted.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { FactList, Facts } from "../parts/facts.tsx";
import { Pill } from "../parts/values.tsx";
import { ConnectionFaults, ConnectionFields, givenIn } from "./connection-fields.tsx";
import { LEDGER, LedgerTabs, otherBooks } from "./ledger-tabs.tsx";
import { mappingOf, saveMapping } from "./mapping-form.tsx";
import { movesOf } from "./moves.tsx";

const PATH = `${LEDGER}/connection` as const;

type Connection = z.output<typeof LedgerConnection>;

export const connectionPages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "hidden", (request) => show(request, NO_FAULTS, 200)),
  definePage(`GET ${PATH}/new`, "hidden", (request) => connecting(request, null, 200)),
  definePage(`GET ${PATH}/disconnect`, "hidden", (request) =>
    disconnecting(request, NO_FAULTS, 200),
  ),
  defineChange("check", async ({ cx }) => {
    await checkConnection(cx);
    return { redirect: PATH, notice: { done: "connection_checked" } };
  }),
  definePage(`POST ${PATH}/new`, "hidden", connectAnswered),
  defineChange("mapping", async (request) => {
    const faults = await saveMapping(request);
    if (faults !== null) return show(request, faults, 422);
    return { redirect: PATH, notice: { done: "mapping_saved" } };
  }),
  defineChange("disconnect", disconnect),
];

/** Defines a form that changes the connection. Each of them is defined here, so a check before any change has one place. */
function defineChange(part: string, change: WebPage["handle"]): WebPage {
  return defineGuarded(`POST ${PATH}/${part}`, "hidden", change);
}

/** Returns the connector that a form names. Throws NOT_FOUND. */
function connectorOf(cx: PersonContext, kind: string | undefined): Connector {
  const connector = cx.setups.get(kind ?? "")?.connector;
  if (connector === undefined) throw notFound("ledger_connection", kind ?? "");
  return connector;
}

const PILLS = {
  connected: "ok",
  unauthorized: "bad",
  unavailable: "warn",
  subscription: "bad",
} as const satisfies Record<Connection["state"], string>;

async function show(request: PageRequest, faults: Faults, status: number): Promise<PageAnswer> {
  const { cx, reader } = request;
  const words = reader.words.connection;
  const elsewhere = otherBooks(cx);
  const title = reader.words.ledger.tabs.connection;
  if (elsewhere === null) {
    const is_locked = await hasBookings(cx);
    const content = (
      <>
        <LedgerTabs at="connection" elsewhere={null} />
        <BuiltIn
          connectors={[...cx.setups.values()].map((one) => one.connector)}
          is_locked={is_locked}
        />
        {await movesOf(request)}
      </>
    );
    return { title, lead: words.lead, content, status };
  }
  const connection = JSON.parse(await readConnection(cx)) as Connection;
  const content = (
    <>
      <LedgerTabs at="connection" elsewhere={elsewhere} />
      <div class="stack">
        <Connected request={request} connection={connection} title={elsewhere} />
        {await mappingOf(request, faults, elsewhere)}
        {await movesOf(request)}
      </div>
    </>
  );
  return { title, lead: words.lead, content, status };
}

function BuiltIn({
  connectors,
  is_locked,
}: {
  connectors: readonly Connector[];
  is_locked: boolean;
}) {
  const words = useReader().words.connection;
  return (
    <div class="card pad">
      <p class="strong">{words.built_in}</p>
      <p class="soft">{words.built_in_text}</p>
      {is_locked ? (
        <p>{words.locked}</p>
      ) : (
        <p class="buttons">
          {connectors.map(({ kind, title }) => (
            <a key={kind} class="button" href={`${PATH}/new?kind=${kind}`}>
              {words.connect_to(title)}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

function Connected(props: { request: PageRequest; connection: Connection; title: string }) {
  const { request, connection, title } = props;
  const { words: all } = useReader();
  const words = all.connection;
  const { kind, state, organisation, checked_at, last_error } = connection;
  const errors = (last_error ?? "").split(/,\s*/).filter((code) => code !== "");
  const check = `${PATH}/check`;
  return (
    <Facts title={title} id="connection">
      <FactList
        facts={[
          { name: words.state, value: <Pill kind={PILLS[state]}>{words.states[state]}</Pill> },
          ...(state === "connected" && errors.length > 0
            ? [
                {
                  name: words.prevents,
                  value: errors.map((code) => words.faults[code] ?? words.other_fault).join(" "),
                },
              ]
            : []),
          {
            name: words.company,
            value: organisation === null ? "–" : `${organisation.name} (${organisation.id})`,
          },
          { name: words.checked, value: <Moment at={checked_at} /> },
        ]}
      />
      {state !== "connected" && <p class="soft">{words.meanings[state](title)}</p>}
      <div class="buttons">
        <Form action={check} csrf={request.csrf(check)}>
          <button type="submit" class="button">
            {words.check_now}
          </button>
        </Form>
        <a class="button" href={`${PATH}/new?kind=${kind}`}>
          {words.renew}
        </a>
        <ConfirmLink href={`${PATH}/disconnect`}>{words.disconnect}</ConfirmLink>
      </div>
    </Facts>
  );
}

/** Asks again who the person is, without a secret in the page that asks: the form then asks for the secrets again. */
async function connectAnswered(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  const { fields } = connectorOf(cx, form.kind);
  const secrets = fields.filter(({ is_secret }) => is_secret).map(({ name }) => name);
  const kept = Object.fromEntries(Object.entries(form).filter(([name]) => !secrets.includes(name)));
  const outcome = await askedAgain({ ...request, form: kept });
  return "ask" in outcome ? outcome.ask : connect(request);
}

/** Connects the account, or renews the connection to the same books. A refusal keeps what was typed, apart from secrets. */
async function connect(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  const connector = connectorOf(cx, form.kind);
  try {
    await connectAccount(cx, connector.kind, givenIn(connector, form));
  } catch (thrown) {
    return connecting(request, refusedBy(thrown), 422);
  }
  return { redirect: PATH, notice: { done: "connected", of: connector.title } };
}

async function connecting(
  request: PageRequest,
  refused: Problem | null,
  status: number,
): Promise<PageAnswer> {
  const { cx, query, form, csrf, reader } = request;
  const words = reader.words.connection;
  const connector = connectorOf(cx, form.kind ?? query.kind);
  const action = `${PATH}/new`;
  const content = (
    <>
      <LedgerTabs at="connection" elsewhere={otherBooks(cx)} />
      <div class="card confirm">
        {refused !== null && <ConnectionFaults refused={refused} />}
        <p class="soft">{words.connect_means(connector.title)}</p>
        <Form action={action} csrf={csrf(action)}>
          <input type="hidden" name="kind" value={connector.kind} />
          <ConnectionFields connector={connector} typed={form} refused={refused} />
          <Submit
            text={words.connect_now(connector.title)}
            back={{ href: PATH, text: words.not_yet }}
          />
        </Form>
      </div>
    </>
  );
  return { title: words.connect_title(connector.title), content, status };
}

const Typed = z.object({ typed: z.string() });

async function disconnect(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  const title = otherBooks(cx) ?? "";
  const outcome = await submitted(
    Typed,
    { typed: form.typed ?? "" },
    ["typed"],
    {},
    ({ typed }) => {
      if (typed.trim().toLowerCase() !== title.toLowerCase()) {
        throw invalidField("typed", "invalid_value", "This is not the name.");
      }
      return run(disconnectAccount, cx, {});
    },
  );
  if ("done" in outcome) return { redirect: PATH, notice: { done: "disconnected", of: title } };
  return disconnecting(request, outcome.faults, outcome.status);
}

async function disconnecting(
  request: PageRequest,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, form, csrf, reader } = request;
  const { words: all } = reader;
  const words = all.connection;
  const title = otherBooks(cx);
  if (title === null) return { redirect: PATH };
  const action = `${PATH}/disconnect`;
  const is_locked = faults.get("")?.code === "CONFIGURATION_LOCKED" || (await hasBookings(cx));
  const content = (
    <div class="card confirm">
      {is_locked ? (
        <div class="notice bad" role="alert">
          {words.locked}
        </div>
      ) : (
        <FormFaults faults={faults} words={all.see_fields} />
      )}
      <p class="soft">{words.disconnect_means(title)}</p>
      {!is_locked && (
        <Form action={action} csrf={csrf(action)}>
          <Entry
            name="typed"
            label={words.type_name(title)}
            value={form.typed ?? ""}
            faults={faults}
            is_required
          />
          <Submit text={words.disconnect_now(title)} back={{ href: PATH, text: words.not_yet }} />
        </Form>
      )}
      {is_locked && (
        <p class="buttons">
          <a class="button" href={PATH}>
            {words.not_yet}
          </a>
        </p>
      )}
    </div>
  );
  return { title: words.disconnect_title(title), content, status };
}
