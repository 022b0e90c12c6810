/** The tool that shows the configuration to admins. */
import * as z from "zod";
import { requireAdmin } from "../../domain/base/visibility.ts";
import { mailKinds, mailLanguages } from "../../domain/sales/mail-text.ts";
import {
  getConfiguration,
  getNumbering,
  presentConfiguration,
} from "../../features/settings/configuration/queries.ts";
import { ConfigurationResource } from "../../features/settings/configuration/schemas.ts";
import { reading } from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import { quoted, table } from "../protocol/words.ts";

const Input = z.object({});

/** The texts of mails and the settings of reminders are long: the tool says which texts are the account's own, and when it reminds. */
const Shown = ConfigurationResource.omit({ mail_texts: true, reminders: true });

export const getConfigurationTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "get_configuration",
  title: "Show the configuration",
  description:
    "Use it for the account's settings: functional currency, time zone, lock dates, payment terms, VAT, accounts of the roles, numbering, seller, connected ledger. Admins only.",
  input: () => Input,
  output: z.object({ data: Shown }),

  async call(cx) {
    requireAdmin(cx.caller.person.role, "the configuration");
    const configuration = await getConfiguration(cx);
    const { mail_texts, reminders, ...data }: z.output<typeof ConfigurationResource> = JSON.parse(
      presentConfiguration(cx, configuration, await getNumbering(cx)),
    );
    const { account_roles: accounts, default_payment_terms: terms, numbering, ledger } = data;
    const ownTexts = mailLanguages.flatMap((language) =>
      mailKinds
        .filter((kind) => Object.values(mail_texts[language][kind]).some(Boolean))
        .map((kind) => `${kind} (${language})`),
    );
    const rows = [
      ["functional currency", data.functional_currency],
      ["time zone", data.time_zone],
      ["revenue by", data.recognition_convention],
      ["period lock date", data.period_lock_date],
      ["work lock date", data.work_lock_date],
      ["contract asset account", accounts.contract_asset],
      ["contract liability account", accounts.contract_liability],
      ["exchange difference account", accounts.exchange_difference],
      ["customer credit account", accounts.customer_credit],
      ["rounding account", accounts.rounding],
      ["payment fee account", accounts.payment_fee],
      ["reminder fee account", accounts.reminder_fee],
      ["interest income account", accounts.interest_income],
      ["default revenue account", data.default_revenue_account],
      ["payment terms", `${terms.type}, ${terms.days} days`],
      ["sends automatically", data.default_auto_send ? "yes" : "no"],
      ["domestic VAT", `${data.vat.domestic_rate} % in ${data.vat.domestic_country}`],
      ["next invoice number", numbering.next_invoice_number],
      ["next credit note number", numbering.next_credit_note_number],
      ["next voucher number", numbering.next_voucher_number],
      ["next payment number", numbering.next_payment_number],
      ["next reminder number", numbering.next_reminder_number],
      ["limit of roundings of payments", data.payments.rounding_limit],
      ["receivables since", data.receivables_begun_on],
      [
        "reminders",
        `${reminders.levels.map(({ days_after_due }) => days_after_due).join(", ")} days after the due date`,
      ],
      ["seller", quoted(data.seller?.name)],
      ["language of documents", data.invoice_language_key],
      [
        "maximum age of rates",
        data.rate_max_age_days === null ? "any" : `${data.rate_max_age_days} days`,
      ],
      ["refuses incomplete invoices", data.require_complete_invoices ? "yes" : "no"],
      ["links in mails of documents", data.document_links ? "yes" : "no"],
      ["own texts of mails", ownTexts.length === 0 ? "none" : ownTexts.join(", ")],
      ["ledger", `${ledger.kind}${ledger.connected ? "" : ", not connected"}`],
    ];
    return { text: table(["setting", "value"], rows, ""), structured: { data } };
  },
});
