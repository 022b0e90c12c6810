/** The card of a person's page that lists where they are signed in, with the forms that sign them out there. */
import { revokeSignIns } from "../../features/access/sign-in/revoke-sign-ins.ts";
import { run } from "../../platform/commands/command.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { listSessions, type SignInShown } from "../../platform/security/sessions/session.ts";
import { Form, Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Facts } from "../parts/facts.tsx";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import { browserName } from "./browser-name.ts";

const SIGN_OUT = "/me/sign-out";
const SIGN_OUT_OTHERS = "/me/sign-out-others";

export const signInsPages: readonly WebPage[] = [
  definePage(`POST ${SIGN_OUT}`, "person", async (request) => {
    const { data: id } = Uuid.safeParse(request.form.id);
    return id === undefined ? { redirect: "/me" } : endOthers(request, id);
  }),
  definePage(`POST ${SIGN_OUT_OTHERS}`, "person", (request) => endOthers(request, null)),
];

async function endOthers(request: PageRequest, id: string | null): Promise<PageAnswer> {
  const { cx, session } = request;
  const login_id = session.login?.id ?? "";
  await run(revokeSignIns, cx, { login_id, session_token: session.token, id });
  return { redirect: "/me", notice: { done: id === null ? "signed_out_others" : "signed_out" } };
}

/** Returns the sessions of the person's login, for `SignIns`. */
export function signInsOf({ cx, session }: PageRequest): Promise<readonly SignInShown[]> {
  return listSessions(cx, session.login?.id ?? "", session.token);
}

export function SignIns(props: { rows: readonly SignInShown[]; csrf: PageRequest["csrf"] }) {
  const { rows, csrf } = props;
  const words = useReader().words.sign_ins;
  const nameOf = ({ browser }: SignInShown) => browserName(browser) ?? words.unknown;
  return (
    <Facts title={words.title} id="sign-ins">
      <List
        label={words.title}
        rows={rows}
        empty={null}
        columns={[
          { head: words.browser, fold: "lead", cell: nameOf },
          { head: words.network, cell: ({ network }) => network ?? words.unknown },
          { head: words.first_seen, cell: ({ created_at }) => <Moment at={created_at} /> },
          { head: words.last_seen, cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
          {
            head: "",
            fold: "end",
            cell: (row) =>
              row.is_own ? (
                <Pill kind="ok">{words.this_browser}</Pill>
              ) : (
                <Form action={SIGN_OUT} csrf={csrf(SIGN_OUT)}>
                  <input type="hidden" name="id" value={row.id} />
                  <button
                    type="submit"
                    class="button small"
                    aria-label={words.sign_out_named(nameOf(row))}
                  >
                    {words.sign_out}
                  </button>
                </Form>
              ),
          },
        ]}
      />
      {rows.length > 1 ? (
        <Form action={SIGN_OUT_OTHERS} csrf={csrf(SIGN_OUT_OTHERS)}>
          <p class="buttons">
            <button type="submit" class="button">
              {words.sign_out_others}
            </button>
          </p>
        </Form>
      ) : (
        <p class="soft">{words.no_other}</p>
      )}
    </Facts>
  );
}
