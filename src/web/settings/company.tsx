/** The page of the company, for admins: the seller as invoices show it, with the logo and the bank account. */
import { logoReply, putLogo, removeLogo } from "../../features/settings/configuration/logo.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { changeConfiguration } from "../../features/settings/configuration/save.ts";
import { ConfigurationUpdate, LogoPut } from "../../features/settings/configuration/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { fileReply } from "../../platform/http/answer.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { countriesIn } from "../parts/countries.ts";
import type { TypedFields } from "../parts/fields.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import { island as companyForm } from "./company-form.tsx";
import { enCompany, enFurtherFields } from "./company-words.ts";

const COMPANY = "/settings/company";
const FURTHER = Object.keys(enFurtherFields) as (keyof typeof enFurtherFields)[];
const FIELDS = [...Object.keys(enCompany.fields), ...FURTHER];
/** Banks and registers write these numbers with spaces. */
const SPACED = new Set(["seller.fik_creditor_number", "seller.registration_number"]);

const logoFile: WebPage = {
  ...definePage(`GET ${COMPANY}/logo`, "hidden", async ({ cx }) => ({
    file: {
      operation: "configuration.get_logo",
      params: {},
      query: {},
      lane: "computation",
      make: async () => fileReply(200, await logoReply(cx)),
    },
  })),
  is_heavy: true,
};

export const companyPages: readonly WebPage[] = [
  definePage(`GET ${COMPANY}`, "hidden", (request) => company(request, null, NO_FAULTS, 200)),
  definePage(`POST ${COMPANY}`, "hidden", save),
  definePage(`POST ${COMPANY}/remove-logo`, "hidden", async ({ cx }) => {
    await run(removeLogo, cx, {});
    return { redirect: COMPANY, notice: { done: "settings_saved" } };
  }),
  logoFile,
];

export const companyActions: readonly Action[] = [
  defineAction("/app/settings/logo", "hidden", LogoPut, async (cx, logo) =>
    JSON.parse(await run(putLogo, cx, logo)),
  ),
];

/** What a field shows that is not stored. */
const UNSET: TypedFields = { "seller.fik_card_type": "71" };

async function save(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  // The names of the fields are their paths: those that were sent are set, and empty ones become null.
  const seller = Object.fromEntries(
    FIELDS.filter((name) => form[name] !== undefined).map((name) => [
      name.slice("seller.".length),
      (SPACED.has(name) ? form[name]?.replaceAll(/\s/g, "") : form[name]?.trim()) || null,
    ]),
  );
  const outcome = await submitted(ConfigurationUpdate, { seller }, FIELDS, {}, (changes) =>
    run(changeConfiguration, cx, changes),
  );
  if ("faults" in outcome) return company(request, form, outcome.faults, outcome.status);
  return { redirect: COMPANY, notice: { done: "settings_saved" } };
}

async function company(
  request: PageRequest,
  sent: TypedFields | null,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, csrf, reader } = request;
  const { company: words } = reader.words;
  const { seller, vat_domestic_country, functional_currency } = await getConfiguration(cx);
  const stored = Object.fromEntries(
    FIELDS.map((name) => {
      const value = seller?.[name.slice("seller.".length) as keyof typeof seller];
      return [name, typeof value === "string" ? value : (UNSET[name] ?? "")];
    }),
  );
  const typed = Object.fromEntries(
    FIELDS.map((name) => [name, sent === null ? stored[name] : (sent[name] ?? "")]),
  );
  const remove_action = `${COMPANY}/remove-logo`;
  const content = (
    <>
      <SettingsTabs current={COMPANY} />
      <Island
        of={companyForm}
        with={{
          typed,
          faults: [...faults],
          action: COMPANY,
          csrf: csrf(COMPANY),
          countries: countriesIn(reader.language),
          domestic_country: vat_domestic_country,
          currency: functional_currency,
          further: FURTHER.map(
            (name) => [name, { label: reader.words.further_fields[name] }] as const,
          ),
          account_name: cx.caller.account_name,
          logo: {
            sha256: seller?.logo?.sha256 ?? null,
            remove_action,
            remove_csrf: csrf(remove_action),
          },
        }}
      />
    </>
  );
  return { title: words.title, lead: words.lead, content, status };
}
