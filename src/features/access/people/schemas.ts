/** The requests and responses of users (spec 7.1). */
import * as z from "zod";
import { roles } from "../../../domain/base/user.ts";
import {
  component,
  ExternalId,
  externalIdFilter,
  input,
  listOf,
  MailAddress,
  pageParameters,
  QueryBoolean,
  shownText,
  text,
  updatedSince,
} from "../../../platform/http/schemas.ts";

export const UserCreate = input("UserCreate", {
  name: text(255, 1),
  email: MailAddress.describe("Unique within the account, case-insensitive."),
  role: z.enum(roles).default("standard"),
  external_id: ExternalId.nullable().optional(),
});
export type UserCreate = z.output<typeof UserCreate>;

export const UserUpdate = input("UserUpdate", {
  name: text(255, 1).optional(),
  email: MailAddress.optional(),
  role: z.enum(roles).optional(),
  active: z.boolean().optional(),
});
export type UserUpdate = z.output<typeof UserUpdate>;

export const UserResource = component("User", {
  object: z.literal("user"),
  id: z.string(),
  external_id: shownText,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type UserResource = z.output<typeof UserResource>;

export const UserList = listOf(UserResource).meta({ id: "UserList" });

export const UserQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  role: z.enum(roles).optional(),
  active: QueryBoolean.optional(),
  updated_since: updatedSince,
});
export type UserQuery = z.output<typeof UserQuery>;
