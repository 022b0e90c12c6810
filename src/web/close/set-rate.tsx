/** Sets the rate of a currency on the last day of a month, which converts the month's amounts (spec 2.7). */
import * as z from "zod";
import { lastDayOf } from "../../domain/base/calendar.ts";
import { invalidField, notFound } from "../../domain/base/problem.ts";
import { putRate } from "../../features/settings/configuration/save.ts";
import { RateParams, RatePut } from "../../features/settings/configuration/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { dayOf } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import { seenMonth } from "./close.tsx";

const PATH = "/close/:month/rate";

export const setRatePages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "hidden", (request) =>
    form(request, request.query.currency, NO_FAULTS, 200),
  ),
  definePage(`POST ${PATH}`, "hidden", save),
];

const Currency = z.object({ currency: RateParams.shape.currency });
const Rate = z.object({ rate: RatePut.shape.rate });

async function save(request: PageRequest): Promise<PageAnswer> {
  const { cx, named, form: typed, reader } = request;
  const { month } = await seenMonth(cx, named.month);
  const currency = typed.currency ?? "";
  const rate = numberFrom(reader.language, typed.rate);
  const result = await submitted(Rate, { rate }, ["rate"], {}, async (value) => {
    if (!(value.rate > 0)) throw invalidField("rate", "too_small", "Not a rate.");
    return run(putRate, cx, { ...value, ...Currency.parse({ currency }), date: lastDayOf(month) });
  });
  if ("faults" in result) return form(request, currency, result.faults, result.status);
  return { redirect: `/close/${month}`, notice: { done: "rate_set", of: currency } };
}

async function form(
  request: PageRequest,
  named: string | undefined,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, reader, csrf, form: typed } = request;
  const { month, configuration } = await seenMonth(cx, request.named.month);
  const parsed = Currency.safeParse({ currency: named });
  const { functional_currency: functional } = configuration;
  if (!parsed.success || parsed.data.currency === functional)
    throw notFound("exchange_rate", named ?? "");
  const { currency } = parsed.data;
  const { words: all, language } = reader;
  const words = all.close;
  const day = dayOf(language, lastDayOf(month));
  const action = `/close/${month}/rate`;
  const content = (
    <div class="card confirm">
      <FormFaults faults={faults} words={all.see_fields} />
      <Form action={action} csrf={csrf(action)}>
        <input type="hidden" name="currency" value={currency} />
        <Entry
          name="rate"
          label={words.rate_of(currency, functional, day)}
          value={typed.rate ?? ""}
          most={20}
          faults={faults}
          note={faults.has("rate") ? words.not_a_rate : undefined}
          is_required
        />
        <Submit text={words.set_rate} back={{ href: `/close/${month}`, text: words.not_yet }} />
      </Form>
    </div>
  );
  return { title: words.set_rate, content, status };
}
