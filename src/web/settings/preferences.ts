/** The preferences that a person sets for themselves, from the shell of any page. */
import { changePreferences } from "../../features/access/people/change-preferences.ts";
import { run } from "../../platform/commands/command.ts";
import { ownPath } from "../../platform/http/form.ts";
import { definePage, type WebPage } from "../frame/page.tsx";
import { AS_THE_SYSTEM, PREFERENCES_PATH } from "../frame/shell.tsx";

export const preferencesPages: readonly WebPage[] = [
  definePage(`POST ${PREFERENCES_PATH}`, "person", async ({ cx, form, services }) => {
    const { language, theme, start_page, next } = form;
    // An invalid value changes nothing.
    const wanted = changePreferences.input.safeParse({
      language,
      theme: theme === AS_THE_SYSTEM ? null : theme,
      start_page,
    });
    if (wanted.success) await run(changePreferences, cx, wanted.data);
    return { redirect: ownPath(next, services.config.base_url) ?? "/" };
  }),
];
