/** Ends other sessions of a login, in whichever account: one of them, or all. The session of the caller's browser stays. */
import * as z from "zod";
import { defineCommand } from "../../../platform/commands/command.ts";
import { sql } from "../../../platform/database/sql.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { recordLogin } from "./sign-in.ts";

/**
 * Ends the session with the id, or every other session where the id is null. `login_id` and `session_token` are those of the
 * caller's own session. Returns the number of ended sessions; a session that has ended before is no error.
 */
export const revokeSignIns = defineCommand({
  name: "revoke_sign_ins",
  access: "read",
  input: z.object({
    login_id: z.string(),
    session_token: z.string(),
    id: z.string().nullable(),
  }),

  async plan(_tx, wanted) {
    return wanted;
  },

  async commit(tx, { login_id, session_token, id }): Promise<number> {
    const ended = await tx.rows(sql`delete from sessions
       where login_id = ${login_id} and hash <> ${sha256(session_token)} and (${id}::uuid is null or id = ${id}) returning 1`);
    const { person } = tx.caller;
    if (ended.length > 0 && person !== null) {
      recordLogin(tx, "signed_out", person.user_id, "session");
    }
    return ended.length;
  },
});
