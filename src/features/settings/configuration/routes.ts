/** The REST routes of the configuration and of exchange rates. */
import { run } from "../../../platform/commands/command.ts";
import { defineRoute, defineShown, noContent, routesOf } from "../../../platform/http/route.ts";
import { logoReply, putLogo, removeLogo } from "./logo.ts";
import { getConfiguration, getNumbering, listRates, presentConfiguration } from "./queries.ts";
import { changeConfiguration, putRate } from "./save.ts";
import {
  ConfigurationResource,
  ConfigurationUpdate,
  LogoPut,
  LogoResource,
  RateList,
  RateParams,
  RatePut,
  RateQuery,
  RateResource,
} from "./schemas.ts";

export const configurationRoutes = routesOf("Configuration", [
  defineShown("GET /configuration", {
    operation: "configuration.get",
    summary: "Read the account's configuration",
    replies: { 200: ConfigurationResource },
    async show(cx) {
      const configuration = await getConfiguration(cx);
      return presentConfiguration(cx, configuration, await getNumbering(cx));
    },
  }),

  defineRoute("PATCH /configuration", {
    operation: "configuration.update",
    summary: "Change the fields sent; nested objects are merged",
    access: "write",
    body: ConfigurationUpdate,
    replies: { 200: ConfigurationResource },
    description:
      "`period_lock_date` moves back only as far as the last month that a completed close has locked: reopen that close first.",
    refuses: ["CONFIGURATION_LOCKED", "PERIOD_CLOSED"],
    handle: (cx, { body }) => run(changeConfiguration, cx, body),
  }),

  defineRoute("GET /configuration/logo", {
    operation: "configuration.get_logo",
    summary: "Read the seller's logo, as it was sent",
    access: "read",
    replies: { 200: { content_type: "image/*" } },
    refuses: ["NOT_FOUND"],
    handle: async (cx) => ({ status: 200, file: await logoReply(cx) }),
  }),

  defineRoute("PUT /configuration/logo", {
    operation: "configuration.set_logo",
    summary: "Print a logo on documents from now on",
    description:
      "Drafts show it immediately. Issued documents keep the logo that they were issued with, or none.",
    access: "write",
    body: LogoPut,
    replies: { 200: LogoResource },
    handle: (cx, { body }) => run(putLogo, cx, body),
  }),

  defineRoute("DELETE /configuration/logo", {
    operation: "configuration.remove_logo",
    summary: "Print no logo from now on",
    access: "write",
    replies: { 204: null },
    refuses: ["NOT_FOUND"],
    async handle(cx) {
      await run(removeLogo, cx, {});
      return noContent;
    },
  }),

  defineRoute("GET /exchange-rates", {
    operation: "exchange_rates.list",
    summary: "List exchange rates, the newest date first",
    access: "read",
    query: RateQuery,
    replies: { 200: RateList },
    handle: (cx, { query }) => listRates(cx, query),
  }),

  defineRoute("PUT /exchange-rates/:currency/:date", {
    operation: "exchange_rates.set",
    summary: "Set the rate of a currency on a day",
    description: "Booked documents keep the rate with which they were booked.",
    access: "write",
    params: RateParams,
    body: RatePut,
    replies: { 200: RateResource },
    handle: (cx, { params, body }) => run(putRate, cx, { ...params, rate: body.rate }),
  }),
]);
