/** The start of a retainer: the choice of its customer, then its rhythm and its lines. It is created as a draft. */
import { invalidField, Problem } from "../../domain/base/problem.ts";
import { getCustomer, readCustomers } from "../../features/catalogue/customers/queries.ts";
import { createSeries } from "../../features/recurring/series/draft.ts";
import { SeriesCreate, type SeriesResource } from "../../features/recurring/series/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import { pageFrom } from "../../platform/database/page.ts";
import type { Named } from "../draft/draft-stored.ts";
import { todayFor } from "../frame/day-asked.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { isAdmin, isSeen, seenBy } from "../frame/seen.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { FormFaults } from "../parts/entry.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { List, Searched, searchIn } from "../parts/list.tsx";
import { aheadOfNew, sentNew } from "./draft-dry-run.ts";
import { HEADER_BLAMES, HEADER_FIELDS } from "./header-form.tsx";
import { lineChoices } from "./line-choices.ts";
import type { PeriodsShown } from "./periods-shown.ts";
import { linesFaultsShown, linesFields, withNewLine } from "./retainer-fields.ts";
import { island as retainerForm } from "./retainer-form.tsx";
import { ownOf, typedFields, withButton } from "./save-retainer.tsx";
import { RETAINERS } from "./seen-retainer.ts";
import type { LineChoices } from "./typed-line.ts";

const NEW = `${RETAINERS}/new`;
const MOST_CUSTOMERS = 25;

export const newRetainerPages: readonly WebPage[] = [
  definePage(`GET ${NEW}`, "person", begin),
  definePage(`POST ${NEW}`, "person", create),
];

async function begin(request: PageRequest): Promise<PageAnswer> {
  const { cx, query } = request;
  if (query.customer === undefined) return choice(request);
  const customer = await customerOf(request, query.customer);
  const header = {
    frequency: "monthly",
    alignment: "anniversary",
    start_date: todayFor(request),
    "issue_timing.mode": "start-of-period",
    "issue_timing.offset_days": "0",
    auto_send: "",
  };
  const typed = withNewLine(header, ownOf(request));
  return form(request, customer, typed, await lineChoices(cx, customer), {});
}

/** Returns the customer of the retainer, and its currency. Throws NOT_FOUND for one that the person does not see. */
async function customerOf(
  { cx }: PageRequest,
  id: string | undefined,
): Promise<Named & { readonly currency: string }> {
  if (!isId(id) || !(await isSeen(cx, "customer", id))) throw new Problem("NOT_FOUND");
  const [{ name, preferred_invoice_currency_key: currency }, { functional_currency }] =
    await Promise.all([getCustomer(cx, id), getConfiguration(cx)]);
  return { id, name, currency: currency ?? functional_currency };
}

async function choice({ cx, query, reader }: PageRequest): Promise<PageAnswer> {
  const { words: all } = reader;
  const words = all.retainer_draft;
  const search = searchIn(query);
  const page = { limit: MOST_CUSTOMERS, cursor: undefined, search, active: "true" } as const;
  const { data } = pageFrom<Named>(await readCustomers(page, seenBy(cx, "customer")).answer(cx));
  const none = isAdmin(cx) ? all.customers.none : all.draft.no_customers;
  const content = (
    <>
      <Searched action={NEW} value={search ?? ""} label={all.customers.search} />
      <List
        label={words.for_whom}
        rows={data}
        empty={<p>{search === undefined ? none : all.customers.none_found}</p>}
        columns={[
          { head: all.customers.name, fold: "lead", cell: ({ name }) => name },
          {
            head: "",
            fold: "end",
            cell: ({ id, name }) => (
              <a
                class="button small"
                href={`${NEW}?customer=${id}`}
                aria-label={words.choose_for(name)}
              >
                {words.choose}
              </a>
            ),
          },
        ]}
      />
    </>
  );
  const actions = (
    <a class="button" href="/customers/new">
      {all.customers.add}
    </a>
  );
  return { title: words.for_whom, content, ...(isAdmin(cx) ? { actions } : {}) };
}

async function create(request: PageRequest): Promise<PageAnswer> {
  const { cx, form: posted, reader } = request;
  const customer = await customerOf(request, posted.customer_id);
  const typed = typedFields(posted);
  const choices = await lineChoices(cx, { currency: customer.currency, typed });
  const { people } = choices;
  const changed = withButton(posted, ownOf(request));
  if (changed !== null) return form(request, customer, changed, choices, {});
  const typing = { language: reader.language, today: todayFor(request), people };
  const sent = sentNew(typed, customer.id, typing);
  const fields = [...HEADER_FIELDS, ...linesFields(typed, people)];
  if (posted.do === "periods") {
    const outcome = await submitted(SeriesCreate, sent, fields, HEADER_BLAMES, (series) =>
      aheadOfNew(cx, series),
    );
    if ("done" in outcome) return form(request, customer, typed, choices, { ahead: outcome.done });
    return form(request, customer, typed, choices, outcome);
  }
  const outcome = await submitted(SeriesCreate, sent, fields, HEADER_BLAMES, (series) => {
    requireOwnLine(request, series);
    return run(createSeries, cx, series);
  });
  if ("done" in outcome) {
    const { id } = JSON.parse(outcome.done.document) as SeriesResource;
    const notice = { done: "retainer_created", of: customer.name } as const;
    return { redirect: `${RETAINERS}/${id}`, notice };
  }
  return form(request, customer, typed, choices, outcome);
}

/** Requires a line of their own of a person who would not see the retainer otherwise. Throws VALIDATION_FAILED. */
function requireOwnLine({ cx }: PageRequest, { lines }: SeriesCreate): void {
  if (isAdmin(cx)) return;
  const { user_id } = cx.caller.person;
  const is_own = lines.some(({ assignees }) => assignees?.some((one) => one.user_id === user_id));
  if (is_own) return;
  const message = "Assign yourself: you would not see the retainer otherwise.";
  throw invalidField("lines[0].assignees", "required", message);
}

function form(
  request: PageRequest,
  customer: Named,
  typed: TypedFields,
  choices: LineChoices,
  outcome: {
    readonly faults?: Faults;
    readonly status?: number;
    readonly ahead?: PeriodsShown;
  },
): PageAnswer {
  const { reader, csrf } = request;
  const words = reader.words.retainer_draft;
  const faults = linesFaultsShown(typed, outcome.faults ?? NO_FAULTS);
  const content = (
    <>
      <FormFaults faults={faults} words={reader.words.see_fields} />
      <Island
        of={retainerForm}
        with={{
          action: NEW,
          csrf: csrf(NEW),
          customer_id: customer.id,
          draft: null,
          typed,
          faults: [...faults],
          choices,
          today: todayFor(request),
          own: ownOf(request),
          ahead: outcome.ahead ?? null,
        }}
      />
    </>
  );
  const status = outcome.status ?? 200;
  return { title: words.new_for(customer.name), lead: words.created_means, content, status };
}
