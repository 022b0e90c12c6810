/** The settings for developers: the API keys of the account. */

import { Problem } from "../../domain/base/problem.ts";
import {
  createKey,
  endKey,
  KeyForm,
  type KeyPage,
  listKeys,
  type ShownKey,
} from "../../features/access/api-keys/mint.ts";
import { run } from "../../platform/commands/command.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { newToken } from "../../platform/security/sessions/token.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { defineGuarded } from "../frame/define-guarded.ts";
import { Fault, Field, Form, Moment, Submit } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import { defineMoved } from "../frame/moved.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS } from "../frame/submitted.ts";
import { island as copyText } from "../parts/copy-text.tsx";
import { DayEntry } from "../parts/day-entry.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { Table } from "../parts/list.tsx";
import { DeveloperTabs } from "./developer-tabs.tsx";
import { hasOutbox, OUTBOX, outboxPages } from "./outbox.tsx";
import { requestLogPages, requestsOf } from "./request-log.tsx";
import { sandboxPages, sandboxSection } from "./sandbox-clock.tsx";

const DEVELOPER = "/settings/developer";
const ASSISTANTS = "/assistants";

export const settingsPages: readonly WebPage[] = [
  definePage("GET /settings", "person", async ({ cx, url }) => ({
    redirect: `${cx.caller.person.role === "admin" ? "/settings/company" : "/me"}${url.slice("/settings".length)}`,
  })),
  defineMoved("/settings/assistants", ASSISTANTS),
  definePage(`GET ${DEVELOPER}`, "hidden", (asked) => developer(asked, {})),
  defineGuarded(`POST ${DEVELOPER}/create-key`, "hidden", async (request) => {
    const { form } = request;
    const last_day = form.last_day && dayAsked(request, form.last_day);
    const parsed = KeyForm.safeParse({ ...form, last_day });
    if (!parsed.success) {
      const fault = request.reader.words.settings.key_fault;
      return developer(request, { fault, status: 422 });
    }
    try {
      const made = await run(createKey, request.cx, parsed.data);
      return developer(request, "key" in made ? { key: made.key } : { ...made, status: 409 });
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== "invalid") throw error;
      return developer(request, { fault: request.reader.words.settings.day_over, status: 422 });
    }
  }),
  definePage(`POST ${DEVELOPER}/revoke-key`, "hidden", async (request) => {
    await run(endKey, request.cx, { id: idOf(request) });
    return { redirect: DEVELOPER, notice: { done: "key_revoked" } };
  }),
  ...requestLogPages,
  ...outboxPages,
  ...sandboxPages((request, clock_faults) => developer(request, { clock_faults, status: 422 })),
];

/** Returns the id in the request. Throws NOT_FOUND for a text that is not an id. */
function idOf(request: PageRequest): string {
  const parsed = Uuid.safeParse(request.form.id);
  if (!parsed.success) throw new Problem("NOT_FOUND");
  return parsed.data;
}

async function developer(
  request: PageRequest,
  state: {
    readonly key?: string;
    /** The name of the key that this form has created already. */
    readonly made_before?: string;
    readonly fault?: string;
    /** The faults of the sandbox clock. */
    readonly clock_faults?: Faults;
    readonly status?: number;
  },
): Promise<PageAnswer> {
  const { cx, reader } = request;
  const { settings: words } = reader.words;
  const shows_ended = request.query.keys === "ended";
  const after = Uuid.safeParse(request.query.after).data ?? null;
  const keys = await listKeys(cx, shows_ended ? "ended" : "live", after);
  const content = (
    <>
      <DeveloperTabs current={DEVELOPER} />
      <h2>{words.keys}</h2>
      {state.key !== undefined && (
        <div role="status">
          <p class="notice">{words.key_made}</p>
          <pre class="secret" id="new-key">
            {state.key}
          </pre>
          <Island
            of={copyText}
            with={{ text: state.key, copy: words.copy, copied: words.copied }}
          />
        </div>
      )}
      {state.made_before !== undefined && (
        <p class="warning" role="alert">
          {words.made_before(<strong>{state.made_before}</strong>)}
        </p>
      )}
      <Keys request={request} {...keys} />
      <p>
        {shows_ended ? (
          <a href={DEVELOPER}>{words.live_keys}</a>
        ) : (
          <a href={`${DEVELOPER}?keys=ended`}>{words.ended_keys}</a>
        )}
      </p>
      <Fault text={state.fault} />
      <div class="card pad">
        <NewKey request={request} typed={state.fault === undefined ? {} : request.form} />
      </div>
      {await sandboxSection(request, state.clock_faults ?? NO_FAULTS)}
      {hasOutbox(cx) && (
        <p class="small soft">
          {words.outbox}{" "}
          <a class="link" href={OUTBOX}>
            {reader.words.developer.outbox_link}
          </a>
        </p>
      )}
      <p>
        {words.documentation((text) => (
          <a href="/api/docs">{text}</a>
        ))}
      </p>
    </>
  );
  return { title: words.developer, status: state.status ?? 200, content };
}

function NewKey({ request, typed }: { request: PageRequest; typed: TypedFields }) {
  const { settings: words } = useReader().words;
  const csrf = request.csrf(`${DEVELOPER}/create-key`);
  return (
    <Form action={`${DEVELOPER}/create-key`} csrf={csrf}>
      <input type="hidden" name="once" value={newToken()} />
      <Field label={words.new_key} name="name" most={100} value={typed.name ?? ""} />
      <label class="field">
        <span>{words.scope}</span>
        <select class="input" name="scope">
          <option value="read">{words.scope_read}</option>
          <option value="read_write" selected={typed.scope === "read_write"}>
            {words.scope_read_write}
          </option>
        </select>
      </label>
      <DayEntry
        name="last_day"
        label={words.last_day}
        value={typed.last_day ?? ""}
        today={todayFor(request)}
        empty={words.no_last_day}
        faults={NO_FAULTS}
      />
      <Submit text={words.create_key} />
    </Form>
  );
}

/** Shows the keys of all makers, including those made on the command line. An active key can be revoked here. */
function Keys(props: { request: PageRequest } & KeyPage) {
  const { request, keys, next } = props;
  const { settings: words } = useReader().words;
  const ended = request.query.keys === "ended";
  if (keys.length === 0) {
    return <p class="quiet">{ended ? words.no_ended_keys : words.no_keys}</p>;
  }
  return (
    <>
      <Table
        columns={[
          ...[
            words.name,
            words.scope,
            words.begins_with,
            words.made,
            words.made_by,
            words.last_use,
          ],
          ended ? words.ended : words.expires,
          ...(ended ? [] : [""]),
        ]}
        rows={keys.map((key) => [
          <a class="link" href={requestsOf(key.id)} aria-label={words.requests_named(key.name)}>
            {key.name}
          </a>,
          <code>{key.scope}</code>,
          <code>{key.prefix}…</code>,
          <Moment at={key.created_at} />,
          <Maker of={key} />,
          <Moment at={key.last_used_at} />,
          <Moment at={key.revoked_at ?? key.expires_at} />,
          ...(ended
            ? []
            : [<Revoke request={request} action={`${DEVELOPER}/revoke-key`} {...key} />]),
        ])}
      />
      {next !== null && (
        <p>
          <a href={`${DEVELOPER}?${ended ? "keys=ended&" : ""}after=${next}`} rel="next">
            {words.older_keys}
          </a>
        </p>
      )}
    </>
  );
}

/** Shows the maker of a key. The page says if they have lost their rights: they may still have the valid key. */
function Maker({ of: { created_by_name, maker_is_admin } }: { of: ShownKey }) {
  const { settings: words } = useReader().words;
  if (created_by_name === null) return <span class="quiet">{words.made_elsewhere}</span>;
  return (
    <>
      <div>{created_by_name}</div>
      {maker_is_admin === false && <div class="quiet">{words.no_admin_now}</div>}
    </>
  );
}

function Revoke(props: { request: PageRequest; action: string; id: string; name: string }) {
  const { request, action, id, name } = props;
  const { settings: words } = useReader().words;
  return (
    <Form action={action} csrf={request.csrf(action)}>
      <input type="hidden" name="id" value={id} />
      <button type="submit" class="button" aria-label={words.revoke_named(name)}>
        {words.revoke}
      </button>
    </Form>
  );
}
