/** The tool that lists users, only with their names and roles. */
import * as z from "zod";
import { roles } from "../../domain/base/user.ts";
import { readUsers } from "../../features/access/people/queries.ts";
import type { UserResource } from "../../features/access/people/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { fitting } from "../protocol/answer-size.ts";
import { pageOutput, reading } from "../protocol/arguments.ts";
import { defineTool, type ToolResult } from "../protocol/tool.ts";
import { paragraphs, quoted, table } from "../protocol/words.ts";

const PAGE = 100;
const MOST_PAGES = 10;

const Input = z.object({
  active: z.boolean().optional().describe("true or false; without it, all users."),
});

const ShownUser = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  active: z.boolean(),
});

type ShownUser = z.output<typeof ShownUser>;

export const listUsersTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "list_users",
  title: "List users",
  description:
    "Use it to find the id of a colleague: an assignee of a line, or the user of hours or revenue. Use me for the person themselves in every user argument.",
  input: () => Input,
  output: pageOutput(ShownUser),

  async call(cx, { active }) {
    const data: ShownUser[] = [];
    let cursor: string | undefined;
    for (let count = 0; count < MOST_PAGES; count += 1) {
      const page = pageFrom<UserResource>(
        await readUsers({ active, limit: PAGE, cursor }).answer(cx),
      );
      // The e-mail address is not shown to colleagues.
      data.push(
        ...page.data.map(({ id, name, role, active: is }) => ({ id, name, role, active: is })),
      );
      cursor = page.next_cursor ?? undefined;
      if (cursor === undefined) break;
    }
    return fitting(data.length, (most) =>
      answerWith(cx, data.slice(0, most), most < data.length || cursor !== undefined),
    );
  },
});

function answerWith(cx: PersonReader, data: readonly ShownUser[], has_more: boolean): ToolResult {
  const me = cx.caller.person.user_id;
  const rows = data.map(({ id, name, role, active: is_active }) => [
    id,
    quoted(name),
    role,
    is_active ? "active" : "inactive",
    id === me ? "me" : "",
  ]);
  const more = !has_more ? null : `Only the newest ${data.length} users are shown.`;
  const text = paragraphs(table(["user", "name", "role", "state", ""], rows, "No users."), more);
  return { text, structured: { data, has_more, next_cursor: null } };
}
