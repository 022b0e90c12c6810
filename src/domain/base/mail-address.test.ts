import { describe, expect, it } from "vitest";
import { isMailAddress } from "./mail-address.ts";

describe("isMailAddress", () => {
  it.each([
    "anna@example.com",
    "anna.b+invoice@mail.example.co",
    "o'brien{x}~1@example.com",
    "root@localhost",
    "info@søborg.dk",
    "søren@example.dk",
    `${"a".repeat(64)}@example.com`,
  ])("accepts %s", (text) => {
    expect(isMailAddress(text)).toBe(true);
  });

  it.each([
    ["nothing", ""],
    ["no at sign", "anna"],
    ["no local part", "@example.com"],
    ["no domain", "anna@"],
    ["two at signs", "anna@evil.example@example.com"],
    ["two addresses", "anna@example.com,eve@evil.example"],
    ["two addresses with a semicolon", "anna@example.com;eve@evil.example"],
    ["a name and angle brackets", "Anna <anna@example.com>"],
    ["bare angle brackets", "<anna@example.com>"],
    ["a header after a line break", "b@example.com\r\nBcc: evil@example.com"],
    ["a bare line feed at the end", "anna@example.com\n"],
    ["a bare carriage return", "anna@example.com\r"],
    ["a NUL", "anna@example.com\0"],
    ["a space before", " anna@example.com"],
    ["a space inside", "an na@example.com"],
    ["a no-break space", "anna\u00a0@example.com"],
    ["a line separator", "anna\u2028@example.com"],
    ["a zero-width space", "anna\u200b@example.com"],
    ["a right-to-left override", "anna\u202e@example.com"],
    ["a lone surrogate", "anna\ud800@example.com"],
    ["a wide comma", "anna\uff0ceve@example.com"],
    ["a sign that folds to a slash", "anna@\u2100.example"],
    ["a digit that folds to digit and dot", "anna@\u2488example"],
    ["a quoted local part", '"anna b"@example.com'],
    ["a comment", "anna(x)@example.com"],
    ["a group", "friends:anna@example.com"],
    ["an address literal", "anna@[127.0.0.1]"],
    ["a source route", "@evil.example:anna@example.com"],
    ["a dot first", ".anna@example.com"],
    ["a dot last", "anna.@example.com"],
    ["two dots in a row", "an..na@example.com"],
    ["two dots in the domain", "anna@example..com"],
    ["a trailing dot", "anna@example.com."],
    ["a hyphen at a label's edge", "anna@-example.com"],
    ["a local part of 65 characters", `${"a".repeat(65)}@example.com`],
    ["more than 254 characters", `anna@${"abcdefghi.".repeat(25)}com`],
  ])("refuses %s", (_, text) => {
    expect(isMailAddress(text)).toBe(false);
  });

  it("answers quickly on a long hostile text", () => {
    expect(isMailAddress(`${"a.".repeat(1_000_000)}@`)).toBe(false);
  });
});
