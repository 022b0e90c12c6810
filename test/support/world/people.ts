/** Users created and changed as by the command line, including admins: an API key cannot create or change admins. */
import { operatorContext } from "../../../src/features/access/accounts/create.ts";
import { changeUser, createUser } from "../../../src/features/access/people/save.ts";
import { run } from "../../../src/platform/commands/command.ts";
import type { Json, World } from "./world.ts";

/** A new user of the world's own account unless another is named; an admin unless the fields say otherwise. */
export async function userByOperator(
  world: World,
  fields: { readonly name: string; readonly email: string; readonly role?: "standard" },
  account_id = world.account.account_id,
): Promise<Json> {
  const cx = await operatorContext(world.services, account_id);
  const { document } = await run(createUser, cx, { role: "admin", ...fields });
  return JSON.parse(document);
}

/** Changes a user of the world's own account unless another is named; throws the refusals. */
export async function changedByOperator(
  world: World,
  ref: string,
  changes: Parameters<typeof changeUser.plan>[1]["changes"],
  account_id = world.account.account_id,
): Promise<Json> {
  const cx = await operatorContext(world.services, account_id);
  return JSON.parse(await run(changeUser, cx, { ref, changes }));
}
