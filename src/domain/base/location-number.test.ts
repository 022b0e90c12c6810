/** The validation of location numbers when they are set. */
import { expect, it } from "vitest";
import { locationNumberFaults } from "./location-number.ts";

it.each([null, "", " ", "5798009811578", "5790000000012", " 5798009 811578 ", "0000000000000"])(
  "%s is accepted",
  (text) => {
    expect(locationNumberFaults(text, "ean_number")).toEqual([]);
  },
);

it.each([
  ["n/a", "13 digits"],
  ["579800981157", "13 digits"],
  ["57980098115781", "13 digits"],
  ["5798009811579", "check digit"],
  ["5978009811578", "check digit"],
])("%s is refused: %s", (text, message) => {
  expect(locationNumberFaults(text, "ean_number")).toMatchObject([
    { field: "ean_number", code: "invalid_format", message: expect.stringContaining(message) },
  ]);
});
