/**
 * The page of assistants: plans that wait for the person, connected assistants, decided plans, and how to connect. Plans are the
 * reader's own; admins see the assistants of all people and can disconnect them.
 */

import { getGrant, listGrants, type ShownGrant } from "../../features/access/oauth/grants.ts";
import {
  type DecidedPlan,
  decidedPlans,
  type OpenPlan,
  openPlans,
} from "../../features/access/oauth/list-plans.ts";
import { DECLINED } from "../../features/access/oauth/resolve-plan.ts";
import { revokeGrant } from "../../features/access/oauth/revoke.ts";
import { mcpUrl } from "../../features/access/oauth/tokens.ts";
import { run } from "../../platform/commands/command.ts";
import { Form, Moment } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { island as copyText } from "../parts/copy-text.tsx";
import { Card } from "../parts/facts.tsx";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import { planPages } from "./plan-page.tsx";
import { PlanSentence } from "./plan-sentence.tsx";

const ASSISTANTS = "/assistants";

export const assistantPages: readonly WebPage[] = [
  definePage(`GET ${ASSISTANTS}`, "person", assistants),
  definePage(`GET ${ASSISTANTS}/:id/disconnect`, "person", disconnection),
  definePage(`POST ${ASSISTANTS}/:id/disconnect`, "person", async ({ cx, id }) => {
    await run(revokeGrant, cx, { id, own: !isAdmin(cx) });
    return { redirect: ASSISTANTS, notice: { done: "assistant_disconnected" } };
  }),
  ...planPages,
];

async function assistants({ cx, reader, services }: PageRequest): Promise<PageAnswer> {
  const { assistants: words } = reader.words;
  const { user_id } = cx.caller.person;
  const waiting = await openPlans(cx, user_id);
  const grants = await listGrants(cx, isAdmin(cx) ? null : user_id);
  const decided = await decidedPlans(cx);
  const content = (
    <div class="stack">
      <Card title={words.waiting} id="waiting" hint={words.waiting_hint}>
        <Waiting plans={waiting} />
      </Card>
      <Card title={words.connected} id="connected">
        <Connected grants={grants} shows_people={isAdmin(cx)} />
      </Card>
      <Card title={words.done} id="done">
        <Decided plans={decided} />
        <p class="pad small">
          <a href="/settings/audit">{words.all_changes}</a>
        </p>
      </Card>
      <Connect url={mcpUrl(services.config.base_url)} />
    </div>
  );
  return { title: reader.words.nav.assistants, lead: words.lead, content };
}

function Waiting({ plans }: { plans: readonly OpenPlan[] }) {
  const words = useReader().words.assistants;
  return (
    <List
      label={words.waiting}
      rows={plans}
      empty={<p class="soft">{words.none_waiting}</p>}
      columns={[
        {
          head: words.plan,
          fold: "lead",
          cell: ({ id, summary }) => (
            <a href={`${ASSISTANTS}/plans/${id}`}>
              <PlanSentence text={summary} />
            </a>
          ),
        },
        { head: words.assistant, cell: ({ client_name }) => client_name },
        {
          head: words.left,
          fold: "end",
          cell: ({ state, minutes_left }) =>
            state === "begun" ? words.in_progress : words.minutes(minutes_left),
        },
      ]}
    />
  );
}

function Connected(props: { grants: readonly ShownGrant[]; shows_people: boolean }) {
  const { grants, shows_people } = props;
  const words = useReader().words.assistants;
  return (
    <List
      label={words.connected}
      rows={grants}
      empty={<p class="soft">{words.none_connected}</p>}
      columns={[
        { head: words.assistant, fold: "lead", cell: ({ client_name }) => client_name },
        ...(shows_people
          ? [{ head: words.works_for, cell: ({ user_name }: ShownGrant) => user_name }]
          : []),
        {
          head: words.may,
          cell: ({ scopes }) => scopes.map((scope) => words.may_scopes[scope] ?? scope).join(", "),
        },
        { head: words.since, fold: "none", cell: ({ created_at }) => <Moment at={created_at} /> },
        { head: words.until, fold: "none", cell: ({ expires_at }) => <Moment at={expires_at} /> },
        { head: words.last_use, cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
        {
          head: "",
          fold: "end",
          cell: ({ id, client_name }) => (
            <ConfirmLink
              href={`${ASSISTANTS}/${id}/disconnect`}
              label={words.disconnect_named(client_name)}
            >
              {words.disconnect}
            </ConfirmLink>
          ),
        },
      ]}
    />
  );
}

function Decided({ plans }: { plans: readonly DecidedPlan[] }) {
  const words = useReader().words.assistants;
  return (
    <List
      label={words.done}
      rows={plans}
      empty={<p class="soft">{words.none_done}</p>}
      columns={[
        {
          head: words.plan,
          fold: "lead",
          cell: ({ id, summary, client_name }) =>
            client_name === null ? (
              <PlanSentence text={summary} />
            ) : (
              <a href={`${ASSISTANTS}/plans/${id}`}>
                <PlanSentence text={summary} />
              </a>
            ),
        },
        { head: words.assistant, cell: ({ client_name }) => client_name ?? "–" },
        { head: words.when, cell: ({ created_at }) => <Moment at={created_at} /> },
        { head: words.outcome, fold: "end", cell: (plan) => <Outcome plan={plan} /> },
      ]}
    />
  );
}

function Outcome({ plan: { state, ended_by } }: { plan: DecidedPlan }) {
  const { outcomes } = useReader().words.assistants;
  if (state === "committed") return <Pill kind="ok">{outcomes.committed}</Pill>;
  if (state === "open") return <Pill>{outcomes.expired}</Pill>;
  if (ended_by === DECLINED) return <Pill>{outcomes.declined}</Pill>;
  return <Pill kind="warn">{outcomes.refused}</Pill>;
}

/** Shows how to connect an assistant, ready to copy. `url` is the address of the MCP endpoint. */
function Connect({ url }: { url: string }) {
  const { connect: words, assistants } = useReader().words;
  const { copy, copied } = assistants;
  return (
    <Card title={words.title} id="connect">
      <div class="pad connect">
        <p>{words.address}</p>
        <pre class="secret" id="mcp-url">
          {url}
        </pre>
        <Island of={copyText} with={{ text: url, copy, copied }} />
        <p>{words.connectors}</p>
        <p>{words.code(<code>.vscode/mcp.json</code>)}</p>
        <pre>{jsonOf({ servers: { matchbook: { type: "http", url } } })}</pre>
        <p>{words.cursor(<code>.cursor/mcp.json</code>)}</p>
        <pre>{jsonOf({ mcpServers: { matchbook: { url } } })}</pre>
      </div>
    </Card>
  );
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Says what a disconnection ends and what it leaves. Another person's assistant is only there for admins. */
async function disconnection({ cx, id, csrf, reader }: PageRequest): Promise<PageAnswer> {
  const words = reader.words.assistants;
  const own = isAdmin(cx) ? null : cx.caller.person.user_id;
  const { client_name, user_name, open_plans } = await getGrant(cx, id, own);
  const action = `${ASSISTANTS}/${id}/disconnect`;
  const content = (
    <div class="card confirm">
      <dl class="will">
        <dt>{words.ends}</dt>
        <dd>{words.ends_text(client_name, user_name, open_plans)}</dd>
        <dt>{words.keeps}</dt>
        <dd>{words.keeps_text}</dd>
      </dl>
      <div class="buttons">
        <a class="button" href={ASSISTANTS}>
          {words.not_yet}
        </a>
        <Form action={action} csrf={csrf(action)}>
          <button type="submit" class="button main">
            {words.disconnect_now(client_name)}
          </button>
        </Form>
      </div>
    </div>
  );
  return { title: words.disconnect_title(client_name), content };
}
