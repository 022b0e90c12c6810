/** The REST routes of users. */
import { run } from "../../../platform/commands/command.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { readPage, readResource } from "../../../platform/database/stored-read.ts";
import { defineRoute, routesOf, savedText } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { listUsers, userConditions } from "./queries.ts";
import { changeUser, createUser } from "./save.ts";
import { UserCreate, UserList, UserQuery, UserResource, UserUpdate } from "./schemas.ts";

export const userRoutes = routesOf("Users", [
  defineRoute("GET /users", {
    operation: "users.list",
    summary: "List users",
    access: "read",
    query: UserQuery,
    replies: { 200: UserList },
    stored: ({ query }) => readPage("users", userConditions(query), query),
    handle: (cx, { query }) => listUsers(cx, query),
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

  defineRoute("GET /users/:ref", {
    operation: "users.get",
    summary: "Read a user",
    access: "read",
    params: RefParams,
    replies: { 200: UserResource },
    refuses: ["NOT_FOUND"],
    stored: ({ params }) => readResource("users", params.ref),
    async handle(cx, { params }) {
      const { document } = await getStored(cx, "users", params.ref);
      return document;
    },
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
