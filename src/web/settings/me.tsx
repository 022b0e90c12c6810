/** A person's own page: how the pages look to them, where they start, their password, and where they are signed in. */
import { changePreferences } from "../../features/access/people/change-preferences.ts";
import { run } from "../../platform/commands/command.ts";
import { ownPath } from "../../platform/http/form.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { AS_THE_SYSTEM, PREFERENCES_PATH, THEMES } from "../frame/shell.tsx";
import { startPagesOf } from "../frame/start-page.ts";
import { NO_FAULTS } from "../frame/submitted.ts";
import { FactList, Facts } from "../parts/facts.tsx";
import { Select } from "../parts/select.tsx";

import { studioCardOf } from "../welcome/studio.tsx";
import { FactorCard, factorPages, factorsShown } from "./factors.tsx";
import { SignIns, signInsOf, signInsPages } from "./sign-ins.tsx";

const ME = "/me";

export const mePages: readonly WebPage[] = [
  definePage(`GET ${ME}`, "person", me),
  ...factorPages,
  ...signInsPages,
  // A form of the shell changes one preference and returns to its page; the form of this page changes all.
  definePage(`POST ${PREFERENCES_PATH}`, "person", async ({ cx, form, services }) => {
    const { language, theme, start_page, next } = form;
    // An invalid value changes nothing.
    const wanted = changePreferences.input.safeParse({
      language,
      theme: theme === AS_THE_SYSTEM ? null : theme,
      start_page,
    });
    if (wanted.success) await run(changePreferences, cx, wanted.data);
    const back = ownPath(next, services.config.base_url) ?? "/";
    return {
      redirect: back,
      ...(wanted.success && { notice: { done: "preferences" as const } }),
    };
  }),
];

async function me(request: PageRequest): Promise<PageAnswer> {
  const example = await studioCardOf(request);
  const { cx, reader, csrf, session, signed } = request;
  const { words: all, language, theme } = reader;
  const words = all.me;
  const { person, account_name } = cx.caller;
  const content = (
    <div class="stack">
      <Facts title={words.person} id="person">
        <FactList
          facts={[
            { name: words.name, value: person.name },
            { name: words.email, value: session.login?.email ?? "" },
            { name: words.account, value: account_name },
            { name: words.role, value: all.roles[person.role] },
            { name: words.password, value: words.change_password, href: `${ME}/password` },
          ]}
        />
      </Facts>
      <Facts title={words.preferences} id="preferences">
        <Form action={PREFERENCES_PATH} csrf={csrf(PREFERENCES_PATH)}>
          <input type="hidden" name="next" value={ME} />
          <div class="beside">
            <Select
              name="language"
              label={words.language}
              value={language}
              options={[
                ["en", "English"],
                ["da", "Dansk"],
              ]}
              faults={NO_FAULTS}
            />
            <Select
              name="theme"
              label={words.theme}
              value={theme ?? AS_THE_SYSTEM}
              options={THEMES.map((one) => [one, all.nav[one]])}
              faults={NO_FAULTS}
            />
            <Select
              name="start_page"
              label={words.start_page}
              value={signed?.start_page ?? ""}
              options={startPagesOf(person.role).map((one) => [one, words.start_pages[one]])}
              faults={NO_FAULTS}
            />
          </div>
          <Submit text={all.save} />
        </Form>
      </Facts>
      <FactorCard
        factors={await factorsShown(request)}
        csrf={csrf}
        base_url={request.services.config.base_url}
      />
      <SignIns rows={await signInsOf(request)} csrf={csrf} />
      {example}
    </div>
  );
  return { title: words.title, content };
}
