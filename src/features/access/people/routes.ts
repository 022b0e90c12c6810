/** The REST routes of users. */
import { run } from "../../../platform/commands/command.ts";
import {
  defineGet,
  defineRead,
  defineRoute,
  routesOf,
  savedText,
} from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { readUsers } from "./queries.ts";
import { changeUser, createUser } from "./save.ts";
import { UserCreate, UserList, UserQuery, UserResource, UserUpdate } from "./schemas.ts";

export const userRoutes = routesOf("Users", [
  defineRead("GET /users", {
    operation: "users.list",
    summary: "List users",
    query: UserQuery,
    replies: { 200: UserList },
    read: ({ query }) => readUsers(query),
  }),

  defineRoute("POST /users", {
    operation: "users.create",
    summary: "Create a user",
    description:
      "The user is invited by mail. A key cannot create an admin: 403 `ROLE_FORBIDDEN`; a signed-in admin or `matchbook user create` can. A repeat with the same `external_id` and content answers 200 with that user. At most 50 invitations an hour, unless the installation is configured otherwise: then 429.",
    access: "write",
    body: UserCreate,
    replies: { 200: UserResource, 201: UserResource },
    refuses: ["ROLE_FORBIDDEN", "EXTERNAL_ID_CONFLICT", "EMAIL_TAKEN"],
    handle: async (cx, { body }) => savedText(await run(createUser, cx, body)),
  }),

  defineGet("GET /users/:ref", {
    table: "users",
    operation: "users.get",
    summary: "Read a user",
    resource: UserResource,
  }),

  defineRoute("PATCH /users/:ref", {
    operation: "users.update",
    summary: "Change the fields sent",
    description:
      "A key cannot make a user an admin, nor change the address, role or activity of an admin: 403 `ROLE_FORBIDDEN`; a signed-in admin or `matchbook user update` can.",
    access: "write",
    params: RefParams,
    body: UserUpdate,
    replies: { 200: UserResource },
    refuses: ["NOT_FOUND", "ROLE_FORBIDDEN", "EMAIL_TAKEN", "LAST_ADMIN"],
    handle: (cx, { params, body }) => run(changeUser, cx, { ref: params.ref, changes: body }),
  }),
]);
