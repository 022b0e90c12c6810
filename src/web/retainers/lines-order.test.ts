/** The order of a retainer's lines while a person changes it. */
import { describe, expect, it } from "vitest";
import { orderAfter, orderIn } from "./lines-order.ts";

describe("the order that a form sends", () => {
  it.each([
    ["1 0 2", [1, 0, 2]],
    [undefined, [0, 1, 2]],
    ["", [0, 1, 2]],
    ["1 0", [0, 1, 2]],
    ["1 1 0", [0, 1, 2]],
    ["1 0 3", [0, 1, 2]],
    ["1 0 2 2", [0, 1, 2]],
    ["a b c", [0, 1, 2]],
  ])("%j is %j", (text, expected) => {
    expect(orderIn(text, 3)).toEqual(expected);
  });
});

describe("a button", () => {
  it.each([
    ["up 2", [1, 0, 2]],
    ["down 2", [0, 2, 1]],
    ["down 1", [1, 0, 2]],
    ["up 1", [0, 1, 2]],
    ["down 3", [0, 1, 2]],
    ["up 9", [0, 1, 2]],
    ["save", undefined],
    [undefined, undefined],
  ])("%j gives %j", (button, expected) => {
    expect(orderAfter([0, 1, 2], button)).toEqual(expected);
  });
});
