/** The key of a caller and the requests of keys, as the API shows them. */
import * as z from "zod";
import {
  as,
  component,
  FirstDay,
  LastDay,
  listOf,
  Moment,
  pageParameters,
  text,
  Uuid,
} from "../../../platform/http/schemas.ts";
import { withForm } from "../../../platform/http/written-forms.ts";

export const ApiKeyResource = component("ApiKey", {
  object: z.literal("api_key"),
  id: z.string(),
  name: z.string().describe("The name that the key was given."),
  scope: z.enum(["read", "read_write"]).describe("What the key may do."),
  expires_at: z
    .string()
    .nullable()
    .describe("When the key ends; ISO 8601, UTC. Null if it works until it is revoked."),
  account_id: z.string().describe("UUID of the account of the key."),
  sandbox: z
    .boolean()
    .describe("Whether the account is a sandbox, which sends and books nothing outside."),
  limits: z
    .strictObject({
      per_second: z
        .int()
        .nullable()
        .describe("Requests a second of all keys of the account together."),
      burst: z
        .int()
        .nullable()
        .describe("The largest burst: how many requests a pause allows at once."),
      at_once: z
        .int()
        .nullable()
        .describe("The maximum number of concurrent requests of the account."),
      heavy: z.int().nullable().describe("The maximum number of concurrent heavy requests."),
    })
    .describe("The limits of the account; each is null where the installation sets none."),
});

const ApiRequest = component("ApiRequest", {
  object: z.literal("request"),
  id: z.string().describe("As in the header `X-Request-Id` of the answer."),
  at: z.string().describe("The time of the answer; ISO 8601, UTC."),
  key_id: z.string().describe("UUID of the key of the request."),
  method: z.string().describe("The HTTP method."),
  path: z.string().describe("The path without its query; parts that may be secrets are `…`."),
  status: z.int().describe("The HTTP status of the answer."),
  code: z.string().nullable().describe("The code of the refusal; null if there was none."),
  duration_ms: z.int().describe("From the request to the end of the answer, in milliseconds."),
});

export const ApiRequestList = listOf(ApiRequest).meta({ id: "ApiRequestList" });

/** An HTTP status, or a class of them: `404`, `4xx`. */
const STATUS = /^[1-5]([0-9][0-9]|xx)$/;
const StatusFilter = withForm(
  z
    .string()
    .refine((value) => STATUS.test(value), as("invalid_value", "A status such as 404, or 4xx.")),
  { pattern: STATUS.source },
).meta({ example: "4xx" });

export const ApiRequestQuery = z.object({
  ...pageParameters,
  key: Uuid.optional().describe("Only requests of the key with this id."),
  status: StatusFilter.optional().describe(
    "Only answers with this status; `4xx` for all of 400 to 499.",
  ),
  path: text(300, 1)
    .optional()
    .describe("Only requests whose path begins with this text, such as `/api/v1/invoices`."),
  from: z
    .union([Moment, FirstDay])
    .optional()
    .describe("Only requests since a timestamp, or since a day or month in UTC."),
  to: z
    .union([Moment, LastDay])
    .optional()
    .describe("Only requests until a timestamp, or until the end of a day or month in UTC."),
});
