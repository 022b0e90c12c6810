/** Any line with any history, biased to month ends, tiny amounts, and currencies of 0 and 3 decimals. */
import fc from "fast-check";
import {
  addDays,
  type CalendarDate,
  daysInMonth,
  type Month,
} from "../../../src/domain/base/calendar.ts";
import { lineAmount } from "../../../src/domain/revenue/recognition.ts";
import { recognitionMethods } from "../../../src/domain/sales/line.ts";
import { factsOf, type GivenLine } from "./revenue.ts";

const anyMonth = fc.constantFrom(
  ...["2024-11", "2024-12", "2025-01", "2025-02", "2025-03", "2025-04", "2025-05", "2025-06"],
) as fc.Arbitrary<Month>;

const anyDay: fc.Arbitrary<CalendarDate> = fc
  .tuple(
    anyMonth,
    fc.oneof(fc.constantFrom(1, 2, 27, 28), fc.constant(31), fc.integer({ min: 1, max: 31 })),
  )
  .map(([month, day]) => {
    const last = Math.min(day, daysInMonth(month));
    return `${month}-${String(last).padStart(2, "0")}` as CalendarDate;
  });

/** Minor units. */
const anyAmount = fc.oneof(
  fc.bigInt(1n, 3n),
  fc.bigInt(0n, 1_000n),
  fc.bigInt(0n, 10_000_000n),
  fc.bigInt(0n, 10n ** 12n),
);

const anyUser = fc.constantFrom("anna", "bo", "cia", "dan");
const anyHours = fc.oneof(
  fc.constant(0.01),
  fc.integer({ min: 1, max: 2_400 }).map((n) => n / 100),
);
const anyRegistration = fc.tuple(anyUser, anyDay, anyHours);
const anyAssignees = fc.constantFrom<NonNullable<GivenLine["assignees"]>>(
  [],
  [["anna"]],
  [["anna"], ["bo"], ["cia"]],
  [
    ["anna", 33.34],
    ["bo", 33.33],
    ["cia", 33.33],
  ],
  [
    ["bo", 0.01],
    ["anna", 99.99],
  ],
);

interface AnyLine {
  readonly issued?: boolean;
}

/** Issued or not, unless requested; its credits never exceed its amount. */
export function anyLine({ issued }: AnyLine = {}): fc.Arbitrary<GivenLine> {
  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  return fc
    .record({
      method: fc.constantFrom(...recognitionMethods),
      digits: fc.constantFrom(2, 0, 3),
      agreed: anyAmount,
      rate: fc.constantFrom(0.0001, 0.5, 950, 1200, 1199.9999),
      discount: fc.constantFrom(0, 0, 12.5, 33.33, 100),
      share: optional(fc.constantFrom({ days: 10, of: 31 }, { days: 1, of: 365 })),
      assignees: anyAssignees,
      service: optional(fc.tuple(anyDay, fc.constantFrom(0, 1, 27, 30, 89, 364))),
      budget: fc.constantFrom(0.01, 10, 200),
      completed: optional(anyDay),
      worked: fc.array(anyRegistration, { maxLength: 6 }),
      idle: fc.array(anyRegistration, { maxLength: 2 }),
      issued:
        issued === true ? anyDay : issued === false ? fc.constant(undefined) : optional(anyDay),
      credits: fc.array(fc.tuple(anyDay, fc.integer({ min: 0, max: 100 }), optional(anyDay)), {
        maxLength: 3,
      }),
    })
    .map(({ method, share, service, completed, issued, credits, ...rest }): GivenLine => {
      const is_value = method === "value";
      const reported: GivenLine = {
        method,
        ...rest,
        ...(share && method !== "hours" ? { share } : {}),
        ...(share && method === "progress" ? { nominal_budget: rest.budget } : {}),
        ...(service && is_value ? { service: [service[0], addDays(service[0], service[1])] } : {}),
        ...(completed && (method === "milestone" || method === "progress") ? { completed } : {}),
        ...(issued ? { issued } : {}),
      };
      return issued ? { ...reported, credits: creditsOf(reported, credits) } : reported;
    });
}

/** Each credit takes a percentage of the rest, in the order of their dates. */
function creditsOf(
  given: GivenLine,
  parts: readonly (readonly [date: string, percent: number, end: string | undefined])[],
): NonNullable<GivenLine["credits"]> {
  let rest = lineAmount(factsOf(given));
  const in_order = parts.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return in_order.map(([date, percent, end]) => {
    const amount = (rest * BigInt(percent)) / 100n;
    rest -= amount;
    return given.service && end ? [date, amount, end] : [date, amount];
  });
}
