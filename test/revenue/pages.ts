/** Compares the revenue page with the API after any history: the same amounts by customer, person, product and line. */
import { expect } from "vitest";
import type { Month } from "../../src/domain/base/calendar.ts";
import type { Role } from "../../src/domain/base/user.ts";
import type { PersonContext } from "../../src/platform/commands/context.ts";
import { schedulerContext } from "../../src/platform/runtime/services.ts";
import { revenueAsked } from "../../src/web/revenue/revenue-address.ts";
import { revenueReport } from "../../src/web/revenue/revenue-report.ts";
import type { RevenueShown } from "../../src/web/revenue/revenue-shown.ts";
import { addMonths, FUNCTIONAL, minor, type Studio } from "./studio.ts";

const GROUPS = { customer: "customer", person: "user", product: "product" } as const;
const BASES = ["work_month", "booking_month"] as const;

/** Throws for the first amount of the page that the API does not have, or the other way round. */
export async function checkPages(studio: Studio): Promise<void> {
  const current = studio.today.slice(0, 7);
  const range = { from: addMonths(current, -8), to: addMonths(current, 5) };
  const admin = await personOf(studio, studio.account.admin.user_id, "admin");
  for (const basis of BASES) {
    for (const [by, group_by] of Object.entries(GROUPS)) {
      const page = await shownTo(admin, { by, basis, ...range });
      const list = await studio.all(
        `/recognition?group_by=${group_by}&basis=${basis}&from=${range.from}&to=${range.to}`,
      );
      const listed = list.map((row) => [
        `${row[`${group_by}_id`] ?? "-"} ${row.month}`,
        row.earned === null ? null : `${minor(row.earned, FUNCTIONAL)}`,
      ]);
      expect(amountsIn(page)).toEqual(sorted(listed));
    }
  }
  const [user] = studio.users;
  const own = await shownTo(await personOf(studio, user.id, "standard"), {
    by: "customer",
    ...range,
  });
  const list = await studio.all(
    `/recognition?group_by=customer&user=${user.id}&from=${range.from}&to=${range.to}`,
  );
  expect(amountsIn(own)).toEqual(
    sorted(
      list.map((row) => [
        `${row.customer_id} ${row.month}`,
        row.earned === null ? null : `${minor(row.earned, FUNCTIONAL)}`,
      ]),
    ),
  );
}

async function personOf(studio: Studio, user_id: string, role: Role): Promise<PersonContext> {
  // A context with the clock of the account, which the history has set.
  const cx = await schedulerContext(studio.world.services, studio.account.account_id);
  const person = { user_id, name: "Reader", email: "reader@studio.example", role, grant: null };
  return { ...cx, caller: { ...cx.caller, person } } as PersonContext;
}

function shownTo(cx: PersonContext, fields: Record<string, string>): Promise<RevenueShown> {
  const current = fields.to as Month;
  const asked = revenueAsked(fields, current, cx.caller.person.role === "admin");
  return revenueReport.work(cx, { asked, language: "en" });
}

type Amount = readonly [key: string, amount: string | null];

/** The amounts of the matrix by row and month; the page leaves out those of 0. */
function amountsIn({ rows, months }: RevenueShown): Amount[] {
  return sorted(
    rows.flatMap(({ id, earned }) =>
      earned.map((amount, at) => [`${id ?? "-"} ${months[at]?.month}`, amount] as const),
    ),
  );
}

function sorted(amounts: readonly (readonly unknown[])[]): Amount[] {
  return (amounts as Amount[])
    .filter(([, amount]) => amount !== "0")
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
