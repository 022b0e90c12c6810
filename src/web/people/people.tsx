/** The pages of the account's people, for admins: the list, the invitation, and a person with role and state. */
import { firstDayOf, lastDayOf, monthOf } from "../../domain/base/calendar.ts";
import { notFound } from "../../domain/base/problem.ts";
import { roles } from "../../domain/base/user.ts";
import { inviteUser } from "../../features/access/people/invite.ts";
import { leavingOf, listTeam, type TeamMember } from "../../features/access/people/list-team.ts";
import { changeUser, createUser } from "../../features/access/people/save.ts";
import { UserCreate, UserUpdate } from "../../features/access/people/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { defineGuarded } from "../frame/define-guarded.ts";
import { Form, Moment, Submit } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import type { Notice } from "../frame/notice.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { island as copyText } from "../parts/copy-text.tsx";
import { FormFaults } from "../parts/entry.tsx";
import { FactList, Facts, Warnings } from "../parts/facts.tsx";
import { fieldsOf, type TypedFields } from "../parts/fields.tsx";
import { hoursOf, momentOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import { NamingLists, namingOf } from "./naming.tsx";

const PEOPLE = "/people";
const FIELDS = ["name", "email", "role"];
const BLAMES = { EMAIL_TAKEN: "email", LAST_ADMIN: "role" } as const;

export const peoplePages: readonly WebPage[] = [
  definePage(`GET ${PEOPLE}`, "hidden", list),
  definePage(`GET ${PEOPLE}/new`, "hidden", async (request) =>
    inviteForm(request, { role: "standard" }, NO_FAULTS, 200),
  ),
  defineGuarded(`POST ${PEOPLE}/new`, "hidden", async (request) => {
    const sent = fieldsSent(request.form);
    const outcome = await submitted(UserCreate, sent, FIELDS, BLAMES, (user) =>
      run(createUser, request.cx, user),
    );
    if ("done" in outcome) {
      const { document, link } = outcome.done;
      if (link === null) return doneWith(document, "person_invited");
      const { id } = JSON.parse(document) as { readonly id: string };
      const member = await memberOf({ ...request, id });
      return card(request, member, null, NO_FAULTS, 200, link);
    }
    return inviteForm(request, request.form, outcome.faults, outcome.status);
  }),
  definePage(`GET ${PEOPLE}/:id`, "hidden", async (request) =>
    card(request, await memberOf(request), null, NO_FAULTS, 200),
  ),
  defineGuarded(`POST ${PEOPLE}/:id`, "hidden", async (request) => {
    const { cx, id: ref, form } = request;
    const outcome = await submitted(UserUpdate, fieldsSent(form), FIELDS, BLAMES, (changes) =>
      run(changeUser, cx, { ref, changes }),
    );
    if ("done" in outcome) return doneWith(outcome.done, "person_saved");
    return card(request, await memberOf(request), form, outcome.faults, outcome.status);
  }),
  defineGuarded(`POST ${PEOPLE}/:id/invite`, "hidden", async (request) => {
    const link = await run(inviteUser, request.cx, { ref: request.id });
    return card(request, await memberOf(request), null, NO_FAULTS, 200, link);
  }),
  definePage(`GET ${PEOPLE}/:id/deactivate`, "hidden", (request) =>
    deactivation(request, NO_FAULTS, 200),
  ),
  defineGuarded(`POST ${PEOPLE}/:id/deactivate`, "hidden", async (request) => {
    const { cx, id: ref } = request;
    const outcome = await submitted(UserUpdate, { active: false }, [], {}, (changes) =>
      run(changeUser, cx, { ref, changes }),
    );
    if ("done" in outcome) return doneWith(outcome.done, "person_inactive");
    return deactivation(request, outcome.faults, outcome.status);
  }),
  defineGuarded(`POST ${PEOPLE}/:id/activate`, "hidden", async ({ cx, id: ref }) =>
    doneWith(await run(changeUser, cx, { ref, changes: { active: true } }), "person_active"),
  ),
];

function fieldsSent({ name, email, role }: TypedFields) {
  return { name: name?.trim(), email: email?.trim(), role };
}

/** Leads to the page of a person whom a command has returned, with a notice of what it did. */
function doneWith(user: string, done: Notice["done"]): PageAnswer {
  const { id, name: of } = JSON.parse(user) as { readonly id: string; readonly name: string };
  return { redirect: `${PEOPLE}/${id}`, notice: { done, of } };
}

async function teamOf({ cx }: PageRequest, user_id: string | null) {
  const { time_zone } = await getConfiguration(cx);
  const month = monthOf(todayIn(cx.clock, time_zone));
  return listTeam(cx, firstDayOf(month), lastDayOf(month), user_id);
}

/** Returns the person whom the address names. Throws NOT_FOUND. */
async function memberOf(request: PageRequest): Promise<TeamMember> {
  const [member] = await teamOf(request, request.id);
  if (member === undefined) throw notFound("user", request.id);
  return member;
}

async function list(request: PageRequest): Promise<PageAnswer> {
  const { words: all, language } = request.reader;
  const words = all.people;
  const team = await teamOf(request, null);
  const content = (
    <>
      <div data-list>
        <List
          label={all.nav.people}
          rows={team}
          empty={null}
          columns={[
            {
              head: words.name,
              fold: "lead",
              cell: ({ id, name }) => <a href={`${PEOPLE}/${id}`}>{name}</a>,
            },
            { head: words.role, cell: ({ role }) => all.roles[role] },
            {
              head: words.hours,
              kind: "number",
              fold: "end",
              cell: ({ hours }) => (hours === 0 ? "–" : hoursOf(language, hours)),
            },
            { head: words.last_seen, cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
            { head: words.state, cell: (member) => <State member={member} /> },
          ]}
        />
      </div>
      {team.length === 1 && <p class="soft">{words.only_you}</p>}
    </>
  );
  const actions = (
    <ConfirmLink class="button main" href={`${PEOPLE}/new`}>
      {words.invite}
    </ConfirmLink>
  );
  return { title: all.nav.people, content, actions };
}

function State({ member }: { member: TeamMember }) {
  const { words: all, language, time_zone } = useReader();
  const words = all.people;
  const { active, has_login, invited_at } = member;
  if (!active) return <Pill>{words.inactive}</Pill>;
  if (has_login) return <Pill kind="ok">{words.active}</Pill>;
  if (invited_at === null) return <Pill kind="hot">{words.not_invited}</Pill>;
  return <Pill kind="warn">{words.invited(momentOf(language, invited_at, time_zone).text)}</Pill>;
}

/** Shows the fields of a person, with the roles in words. */
function Fields({ typed, faults }: { typed: TypedFields; faults: Faults }) {
  const words = useReader().words.people;
  const { entry, select } = fieldsOf(typed, faults);
  return (
    <div class="fields form-columns">
      {entry("name", words.name)}
      {entry("email", words.email, { type: "email", most: 254 })}
      {select(
        "role",
        words.role,
        roles.map((role) => [role, words.role_means[role]]),
      )}
    </div>
  );
}

/** Whether a mail of the account reaches its recipient: sandboxes, and services without a mail server, write files. */
function sendsMail({ mail, caller }: PersonContext): boolean {
  return mail.transportFor(caller).kind === "smtp";
}

async function inviteForm(
  request: PageRequest,
  typed: TypedFields,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { words: all } = request.reader;
  const words = all.people;
  const action = `${PEOPLE}/new`;
  const content = (
    <div class="card confirm">
      <FormFaults faults={faults} words={all.see_fields} />
      <p class="soft">{sendsMail(request.cx) ? words.invite_means : words.invite_by_link}</p>
      <Form action={action} csrf={request.csrf(action)}>
        <Fields typed={typed} faults={faults} />
        <Submit text={words.send_invitation} />
      </Form>
      <p class="buttons">
        <a class="button" href={PEOPLE}>
          {words.cancel}
        </a>
      </p>
    </div>
  );
  return { title: words.invite_title, content, status };
}

async function card(
  request: PageRequest,
  member: TeamMember,
  typed: TypedFields | null,
  faults: Faults,
  status: number,
  link: string | null = null,
): Promise<PageAnswer> {
  const { csrf, reader } = request;
  const { words: all, language } = reader;
  const words = all.people;
  const { id, name, email, role, active, has_login, invited_at, hours } = member;
  const here = `${PEOPLE}/${id}`;
  const invitation = invited_at === null ? words.send_invitation : words.invite_again;
  const naming = await namingOf(request, id);
  const content = (
    <div class="stack">
      {link !== null && (
        <div role="status">
          <p class="notice">{sendsMail(request.cx) ? words.link : words.link_alone}</p>
          <pre class="secret">{link}</pre>
          <Island
            of={copyText}
            with={{ text: link, copy: all.assistants.copy, copied: all.assistants.copied }}
          />
        </div>
      )}
      <Facts title={words.state} id="state">
        <FactList
          facts={[
            { name: words.state, value: <State member={member} /> },
            { name: words.last_seen, value: <Moment at={member.last_seen_at} /> },
            {
              name: words.hours,
              value: hoursOf(language, hours),
              href: `/hours?user=${id}`,
            },
          ]}
        />
        {active && !has_login && (
          <Form action={`${here}/invite`} csrf={csrf(`${here}/invite`)}>
            <Submit text={invitation} is_secondary />
          </Form>
        )}
      </Facts>
      <Facts title={name} id="fields">
        <FormFaults faults={faults} words={all.see_fields} />
        <Form action={here} csrf={csrf(here)}>
          <Fields typed={typed ?? { name, email, role }} faults={faults} />
          <Submit text={all.save} />
        </Form>
      </Facts>
      <NamingLists {...naming} />
      {!active && (
        <Form action={`${here}/activate`} csrf={csrf(`${here}/activate`)}>
          <Submit text={words.activate} is_secondary />
        </Form>
      )}
    </div>
  );
  return {
    title: name,
    content,
    status,
    ...(active && {
      actions: <ConfirmLink href={`${here}/deactivate`}>{words.deactivate}</ConfirmLink>,
    }),
  };
}

/** Returns the page that says what a deactivation ends and what it leaves. */
async function deactivation(
  request: PageRequest,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, csrf, reader } = request;
  const { words: all } = reader;
  const words = all.people;
  const { id, name, active } = await memberOf(request);
  const here = `${PEOPLE}/${id}`;
  if (!active) return { redirect: here };
  const { sessions, assistants, drafts, keys } = await leavingOf(cx, id);
  const action = `${here}/deactivate`;
  const naming = await namingOf(request, id);
  const content = (
    <div class="card confirm">
      <FormFaults faults={faults} words={all.see_fields} />
      <dl class="will">
        <dt>{words.keeps}</dt>
        <dd>{words.keeps_text}</dd>
        <dt>{words.ends}</dt>
        <dd>{words.ends_text(sessions, assistants)}</dd>
      </dl>
      <Warnings
        title={all.invoice.warnings}
        sentences={[
          ...(drafts === 0 ? [] : [words.drafts_left(drafts)]),
          ...(keys === 0 ? [] : [words.keys_left(keys)]),
        ]}
      />
      <NamingLists {...naming} />
      <div class="buttons">
        <a class="button" href={here}>
          {words.cancel}
        </a>
        <Form action={action} csrf={csrf(action)}>
          <button type="submit" class="button main">
            {words.deactivate_now(name)}
          </button>
        </Form>
      </div>
    </div>
  );
  return { title: words.deactivate_title(name), content, status };
}
