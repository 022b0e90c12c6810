/** Forms with a file: what browsers send, and what is refused. */
import { describe, expect, it } from "vitest";
import { Problem } from "../../domain/base/problem.ts";
import { fileFormFrom } from "./multipart.ts";

const TYPE = "multipart/form-data; boundary=----b0";
const part = (head: string, content: string) =>
  `------b0\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const END = "------b0--\r\n";
const read = (text: string, type = TYPE) => fileFormFrom(type, Buffer.from(text, "latin1"));

describe("a form with a file", () => {
  it("has its fields as text and its file as bytes", () => {
    const text =
      part('name="csrf"', "abc") +
      part('name="bank_account"', Buffer.from("Løn").toString("latin1")) +
      part('name="file"; filename="a.csv"\r\nContent-Type: text/csv', "\xff\r\n--\r\n1;2\r\n") +
      END;
    const { fields, file } = read(text);
    expect({ ...fields }).toEqual({ csrf: "abc", bank_account: "Løn" });
    expect(Buffer.from(file ?? []).toString("latin1")).toBe("\xff\r\n--\r\n1;2\r\n");
  });

  it.each([
    ["no file was chosen", part('name="file"; filename=""', "")],
    ["there is no field for one", ""],
  ])("has no file where %s", (_case, more) => {
    expect(read(part('name="csrf"', "abc") + more + END).file).toBeNull();
  });

  it("reads a boundary in quotes, and Firefox's own form of it", () => {
    const firefox = "----geckoformboundary6f";
    const text = `--${firefox}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${firefox}--\r\n`;
    expect({ ...read(text, `multipart/form-data; boundary=${firefox}`).fields }).toEqual({
      a: "1",
    });
    expect({ ...read(text, `multipart/form-data; boundary="${firefox}"`).fields }).toEqual({
      a: "1",
    });
  });

  it.each([
    ["no boundary", () => read(END, "multipart/form-data")],
    ["no parts", () => read("hello")],
    ["no end", () => read(part('name="a"', "1"))],
    ["a part that is cut off", () => read('------b0\r\nContent-Disposition: form-data; name="a"')],
    ["a part without a name", () => read(part("x=1", "1") + END)],
    ["a part without a head", () => read(`------b0\r\n${"x".repeat(3_000)}\r\n${END}`)],
    ["a name twice", () => read(part('name="a"', "1") + part('name="a"', "2") + END)],
    ["two files", () => read(part('name="a"; filename="a"', "1").repeat(2) + END)],
    ["a text that is not UTF-8", () => read(part('name="a"', "\xff") + END)],
    ["a NUL", () => read(part('name="a"', "\0") + END)],
    ["a field of 20 kB", () => read(part('name="a"', "x".repeat(20_000)) + END)],
    ["thousands of parts", () => read(part('name="a"', "1").repeat(5_000) + END)],
  ])("is refused with %s", (_case, reading) => {
    expect(reading).toThrow(Problem);
    expect(reading).toThrow(expect.objectContaining({ code: "MALFORMED_REQUEST" }));
  });

  it("does not take a name of the prototype for a field that was sent", () => {
    const { fields } = read(part('name="__proto__"', "1") + part('name="constructor"', "2") + END);
    expect(Object.keys(fields).sort()).toEqual(["__proto__", "constructor"]);
  });
});
