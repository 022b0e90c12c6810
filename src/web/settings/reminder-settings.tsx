/** The page of how customers are reminded, for admins: the days and the fee of each reminder, interest, and whether it is automatic. */
import type { ReminderSettings } from "../../domain/receivables/reminder-settings.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { changeConfiguration } from "../../features/settings/configuration/save.ts";
import { ConfigurationUpdate } from "../../features/settings/configuration/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import type { Fields as Sent } from "../../platform/http/form.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { FormFaults } from "../parts/entry.tsx";
import { fieldsOf, type TypedFields } from "../parts/fields.tsx";
import { plainNumber } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import type { Language } from "../words/words.ts";
import { reminderSettingsWords } from "./reminder-settings-words.ts";

const REMINDERS = "/settings/reminders";
/** The rows of the form: another one than those that are set, up to the most that can be. */
const MOST_LEVELS = 10;
const OWN_RATE = "own";
const FIELDS = ["interest", "payment_days", "minimum_amount", "is_automatic"] as const;

export const reminderSettingsPages: readonly WebPage[] = [
  definePage(`GET ${REMINDERS}`, "hidden", async (request) => {
    const { reminders } = await getConfiguration(request.cx);
    return show(request, typedOf(reminders, request.reader.language), NO_FAULTS, 200);
  }),
  definePage(`POST ${REMINDERS}`, "hidden", save),
];

function nameOf(row: number, field: "days_after_due" | "fee"): string {
  return `reminders.levels[${row}].${field}`;
}

/** Returns the stored settings as the form shows them. */
function typedOf(settings: ReminderSettings, language: Language): TypedFields {
  const { levels, interest, payment_days, minimum_amount, is_automatic } = settings;
  const rows = levels.flatMap(({ days_after_due, fee }, row) => [
    [nameOf(row, "days_after_due"), String(days_after_due)],
    [nameOf(row, "fee"), plainNumber(language, fee)],
  ]);
  return {
    ...Object.fromEntries(rows),
    "reminders.interest": typeof interest === "string" ? interest : OWN_RATE,
    "reminders.payment_days": String(payment_days),
    "reminders.minimum_amount": plainNumber(language, minimum_amount),
    "reminders.is_automatic": String(is_automatic),
  };
}

/** The rows that have days: the others are no reminders. */
function filledRows(form: Sent): readonly number[] {
  return Array.from({ length: MOST_LEVELS }, (_, row) => row).filter(
    (row) => (form[nameOf(row, "days_after_due")] ?? "").trim() !== "",
  );
}

async function save(request: PageRequest): Promise<PageAnswer> {
  const { cx, form, reader } = request;
  const { reminders: before } = await getConfiguration(cx);
  const number = (name: string) => numberFrom(reader.language, form[name]);
  const rows = filledRows(form);
  const interest = form["reminders.interest"];
  const reminders = {
    levels: rows.map((row) => ({
      days_after_due: number(nameOf(row, "days_after_due")),
      fee: number(nameOf(row, "fee")) ?? 0,
      // What the form does not show of a reminder stays.
      compensation: before.levels[row]?.compensation ?? false,
      text: before.levels[row]?.text ?? null,
    })),
    interest: interest === OWN_RATE ? before.interest : interest,
    payment_days: number("reminders.payment_days"),
    minimum_amount: number("reminders.minimum_amount") ?? 0,
    is_automatic: form["reminders.is_automatic"] === "true",
  };
  const sent_names = rows.flatMap((_, at) => [nameOf(at, "days_after_due"), nameOf(at, "fee")]);
  const names = [...sent_names, ...FIELDS.map((field) => `reminders.${field}`)];
  const outcome = await submitted(ConfigurationUpdate, { reminders }, names, {}, (sent) =>
    run(changeConfiguration, cx, sent),
  );
  if ("done" in outcome) return { redirect: REMINDERS, notice: { done: "settings_saved" } };
  return show(request, form, onRows(outcome.faults, rows), outcome.status);
}

/** Returns the faults by the rows of the form: a list that was sent has no empty rows. */
function onRows(faults: Faults, rows: readonly number[]): Faults {
  const renamed = [...faults].map(([name, fault]) => {
    const moved = name.replace(
      /\[(\d+)\]/,
      (_, at: string) => `[${rows[Number.parseInt(at, 10)]}]`,
    );
    return [moved, fault] as const;
  });
  return new Map(renamed);
}

async function show(
  request: PageRequest,
  typed: TypedFields,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, csrf, reader } = request;
  const words = reminderSettingsWords(reader.language);
  const { reminders, functional_currency } = await getConfiguration(cx);
  const content = (
    <>
      <SettingsTabs current={REMINDERS} />
      <div class="card pad company-fields">
        <FormFaults faults={faults} words={reader.words.see_fields} />
        <Form action={REMINDERS} csrf={csrf(REMINDERS)}>
          <Levels
            typed={typed}
            faults={faults}
            settings={reminders}
            currency={functional_currency}
          />
          <Terms typed={typed} faults={faults} settings={reminders} />
          <Submit
            text={reader.words.save}
            back={{ href: "/reminders", text: words.to_reminders }}
          />
        </Form>
      </div>
    </>
  );
  return { title: words.title, lead: words.lead, content, status };
}

interface Shown {
  readonly typed: TypedFields;
  readonly faults: Faults;
  readonly settings: ReminderSettings;
}

/** Shows the days and the fee of each reminder, with an empty row for another one. */
function Levels({ typed, faults, settings, currency }: Shown & { currency: string }) {
  const { language } = useReader();
  const words = reminderSettingsWords(language);
  const { entry } = fieldsOf(typed, faults);
  const typed_rows = filledRows(typed as Sent);
  const rows = Math.min(
    MOST_LEVELS,
    Math.max(settings.levels.length, ...typed_rows.map((row) => row + 1)) + 1,
  );
  return (
    <fieldset class="fields pairs">
      <legend>{words.levels}</legend>
      <p class="small quiet whole">
        {words.levels_hint} {settings.rules === "danish" && words.danish}
      </p>
      {Array.from({ length: rows }, (_, row) => (
        <>
          {entry(nameOf(row, "days_after_due"), words.days(row + 1), { most: 5 })}
          {entry(nameOf(row, "fee"), words.fee(row + 1, currency), { most: 12 })}
        </>
      ))}
    </fieldset>
  );
}

function Terms({ typed, faults, settings }: Shown) {
  const { language } = useReader();
  const words = reminderSettingsWords(language);
  const { entry, select } = fieldsOf(typed, faults);
  const { interest, statutory_margin } = settings;
  const percent = (rate: number) => plainNumber(language, rate);
  return (
    <fieldset class="fields pairs">
      <legend>{words.terms}</legend>
      {select("reminders.interest", words.interest, [
        ["none", words.interests.none],
        ["statutory", words.interests.statutory(percent(statutory_margin))],
        ...(typeof interest === "string"
          ? []
          : [[OWN_RATE, words.interests.own(percent(interest.rate))] as const]),
      ])}
      {entry("reminders.payment_days", words.payment_days, { most: 5 })}
      {entry("reminders.minimum_amount", words.minimum_amount, { most: 12 })}
      {select("reminders.is_automatic", words.sending, [
        ["false", words.by_hand],
        ["true", words.automatic],
      ])}
    </fieldset>
  );
}
