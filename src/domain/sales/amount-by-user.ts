/** Splits the amount of a line among the people to whom it belongs. */
import { allocate, type Money } from "../base/money.ts";
import { type Line, rateOfUser, type UserHours } from "./line.ts";

/** A part of an amount in minor units; without a user where no one is assigned. */
export interface UserAmount {
  readonly user_id: string | null;
  readonly amount: Money;
}

/** Returns an amount of a line by user: by hours as they are worth, otherwise by shares. The parts add up to the amount. */
export function amountByUser(
  line: Line,
  amount: Money,
  hours: readonly UserHours[] = [],
): UserAmount[] {
  const weights =
    line.recognition_method === "hours"
      ? hours.map(({ user_id, hours: worked }) => ({
          user_id,
          weight: worked * rateOfUser(line, user_id),
        }))
      : line.assignees.map(({ user_id, distribution_percentage }) => ({
          user_id,
          weight: BigInt(distribution_percentage ?? 1),
        }));
  const known = weights.filter(({ weight }) => weight > 0n);
  if (known.length === 0) return [{ user_id: null, amount }];
  const parts = allocate(
    amount,
    known.map(({ weight }) => weight),
  );
  return known.map(({ user_id }, index) => ({ user_id, amount: parts[index] ?? 0n }));
}
