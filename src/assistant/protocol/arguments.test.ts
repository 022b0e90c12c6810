/** Names in arguments are replaced by ids at any depth, with one look-up for each name. */
import { expect, it } from "vitest";
import * as z from "zod";
import type { PersonReader } from "../../platform/commands/context.ts";
import { reference, withoutNames } from "./arguments.ts";

const input = z.strictObject({
  customer: reference("customer"),
  lines: z.array(
    z.strictObject({ product: reference("product"), users: z.array(reference("user")).optional() }),
  ),
});

it("looks up each name once for each kind of resource", async () => {
  const asked: string[] = [];
  const find = async (_: PersonReader, kind: string, name: string, field: string) => {
    asked.push(`${kind} ${name} at ${field}`);
    return `id of ${kind} ${name}`;
  };
  const sent = {
    customer: "Acme",
    lines: [
      { product: "Advice", users: ["Ida", "me"] },
      { product: "Advice", users: ["Ida", "Acme"] },
      { product: "Acme" },
    ],
  };

  expect(await withoutNames({} as PersonReader, input, sent, find)).toEqual({
    customer: "id of customer Acme",
    lines: [
      { product: "id of product Advice", users: ["id of user Ida", "me"] },
      { product: "id of product Advice", users: ["id of user Ida", "id of user Acme"] },
      { product: "id of product Acme" },
    ],
  });
  expect(asked).toEqual([
    "customer Acme at customer",
    "product Advice at lines[0].product",
    "user Ida at lines[0].users[0]",
    "user Acme at lines[1].users[1]",
    "product Acme at lines[2].product",
  ]);
});
