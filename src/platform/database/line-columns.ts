/** The columns of invoice lines: in memory, read and stored. New fields need a migration, `tables.ts` and an entry. */
import type { LineId, ProductId } from "../../domain/base/brand.ts";
import type { Line } from "../../domain/sales/line.ts";
import { bigintFromText, bigintsOrNull, type Field, optional, plain, Shape } from "./shape.ts";

type Assignee = Line["assignees"][number];

const assignees: Field<Line["assignees"]> = {
  ...plain("json"),
  parse: (json) => (json as readonly Assignee[]).map(assigneeFrom),
  write: (value) =>
    value.map((one) => ({
      ...one,
      hourly_rate_override: one.hourly_rate_override?.toString() ?? null,
    })),
};

/** Reads an assignee from its JSON form, in which the rate is text. */
function assigneeFrom(one: Assignee): Assignee {
  return {
    user_id: one.user_id,
    distribution_percentage: one.distribution_percentage,
    hourly_rate_override: bigintFromText(one.hourly_rate_override),
  };
}

const share: Field<Line["share"]> = {
  ...optional("json"),
  from: (alias) =>
    `case when ${alias}.share_days is not null then json_build_object('days', ${alias}.share_days, 'of', ${alias}.share_of) end`,
  stored: { share_days: "int", share_of: "int" },
  write: (value) => ({ share_days: value?.days ?? null, share_of: value?.of ?? null }),
};

const price_from_product: Field<true | undefined> = {
  ...plain<true | undefined>("boolean"),
  parse: (json) => (json === true ? true : undefined),
  may_lack: true,
  write: (value) => value ?? false,
};

const earned = {
  id: plain<LineId>("uuid"),
  product_id: plain<ProductId>("uuid"),
  recognition_method: plain<Line["recognition_method"]>("text"),
  agreed_value: bigintsOrNull,
  hourly_rate: bigintsOrNull,
  discount: plain<Line["discount"]>("int"),
  description_override: plain<Line["description_override"]>("text"),
  position: plain<number>("bigint"),
  assignees,
  service_from: plain<Line["service_from"]>("date"),
  service_to: plain<Line["service_to"]>("date"),
  budget_hours: plain<Line["budget_hours"]>("int"),
  product_name: plain<string>("text"),
  product_number: plain<Line["product_number"]>("text"),
  account_number: plain<number>("int"),
  unit: plain<string>("text"),
  share,
  nominal_budget: optional<number>("int"),
};

export const lineColumns = new Shape<Line>({
  ...earned,
  domestic_account: optional<number>("int"),
  price_from_product,
});

/** The columns without the fields that only sales need. */
export const earnedLineColumns = new Shape<Omit<Line, "domestic_account" | "price_from_product">>(
  earned,
);
