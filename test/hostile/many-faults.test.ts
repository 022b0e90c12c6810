/** A body with many faults is answered quickly, with at most a hundred of them and their number. */
import { describe, expect, it } from "vitest";
import { useTarget } from "../support/http/target.ts";
import type { Json } from "../support/world/world.ts";

const target = useTarget();

const unknown = (count: number, name: (index: number) => string): string =>
  `{${Array.from({ length: count }, (_, index) => `"${name(index)}":1`).join(",")}}`;

describe("at most a hundred faults are listed", () => {
  it.each<[string, string, string, number]>([
    ["fields", "/customers", unknown(250, (n) => `unknown_${n}`), 251],
    ["fields of a megabyte", "/customers", unknown(50_000, (n) => `curency${n}`), 50_001],
    ["lines of a megabyte", "/invoices", `{"lines":[${"{},".repeat(300_000)}{}]}`, 2],
    ["long names", "/customers", unknown(900, (n) => `${n}${"\\u0001".repeat(160)}`), 901],
    ["deep names", "/invoices", deep(400), 2],
  ])("%s", async (_what, path, body, least) => {
    const begun = performance.now();
    const text = JSON.stringify((await target.send("POST", path, body)).body);
    const { field_errors, details }: Json = JSON.parse(text).error;

    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
    expect(field_errors.length).toBeLessThanOrEqual(100);
    const total = details?.field_errors_total ?? field_errors.length;
    expect(total).toBeGreaterThanOrEqual(least);
    if (details) expect(total).toBeGreaterThan(field_errors.length);
  });

  it("of query parameters", async () => {
    const query = Array.from({ length: 300 }, (_, index) => `p${index}=1`).join("&");
    const { body } = await target.send("GET", `/customers?${query}`);

    expect(body.error.field_errors).toHaveLength(100);
    expect(body.error.details).toEqual({ field_errors_total: 300 });
  });
});

/** Unknown fields of assignees within lines. */
function deep(count: number): string {
  const assignee = unknown(100, (n) => `${"n".repeat(15)}${n}`);
  const line = `{"assignees":[${assignee}]}`;
  return `{"lines":[${Array(count).fill(line).join(",")}]}`;
}
