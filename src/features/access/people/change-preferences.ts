/** A person's settings of the pages. They affect no other user, so there is no audit event. */
import * as z from "zod";
import { defineCommand } from "../../../platform/commands/command.ts";
import { sql } from "../../../platform/database/sql.ts";

/** Changes a person's settings. Fields left out stay unchanged; null follows the browser. Returns nothing; adds no refusals. */
export const changePreferences = defineCommand({
  name: "change_preferences",
  access: "read",
  input: z.object({
    language: z.enum(["da", "en"]).nullable().optional(),
    theme: z.enum(["dark", "light"]).nullable().optional(),
    start_page: z.enum(["today", "hours", "close"]).nullable().optional(),
  }),

  async plan(_tx, wanted) {
    return wanted;
  },

  async commit(tx, { language, theme, start_page }) {
    const { account_id, person } = tx.caller;
    if (person === null) return;
    tx.write(sql`insert into preferences as p (account_id, user_id, language, theme, start_page)
       values (${account_id}, ${person.user_id}, ${language ?? null}, ${theme ?? null}, ${start_page ?? null})
       on conflict (account_id, user_id) do update set
         language = case when ${language === undefined} then p.language else excluded.language end,
         theme = case when ${theme === undefined} then p.theme else excluded.theme end,
         start_page = case when ${start_page === undefined} then p.start_page else excluded.start_page end`);
  },
});
