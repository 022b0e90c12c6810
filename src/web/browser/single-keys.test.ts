/** The commands of single keys and of sequences of two keys. */
import { describe, expect, it } from "vitest";
import { afterKey, type PendingKey } from "./single-keys.ts";

const go = [{ href: "/customers", icon: "users", text: "Customers" }] as const;
const begin = [{ href: "/customers/new", icon: "users", text: "New customer" }] as const;

/** The command of each key, with a pause between keys in milliseconds. */
function does(keys: string, pause = 100): unknown[] {
  let waiting: PendingKey = null;
  return [...keys].map((key, index) => {
    const step = afterKey(key, waiting, index * pause, { go, begin });
    waiting = step.waits;
    return typeof step.does === "object" ? (step.does?.href ?? null) : step.does;
  });
}

describe("keys pressed outside of fields", () => {
  it.each<[string, readonly unknown[]]>([
    ["/", ["palette"]],
    ["?", ["keys"]],
    ["gk", [null, "/customers"]],
    ["GK", [null, "/customers"]],
    ["cc", [null, "/customers/new"]],
    ["gc", [null, null]],
    ["gcc", [null, null, "/customers/new"]],
    ["ggk", [null, null, "/customers"]],
    ["gxk", [null, null, null]],
    ["g/", [null, "palette"]],
    ["gp", [null, null]],
    ["k", [null]],
  ])("%s execute their commands", (keys, done) => {
    expect(does(keys)).toEqual(done);
  });

  it("are not a sequence after a long pause", () => {
    expect(does("gk", 1600)).toEqual([null, null]);
  });
});
