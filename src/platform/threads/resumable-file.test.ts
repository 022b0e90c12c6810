/** Files whose first server fails: what the client gets. */
import { describe, expect, it } from "vitest";
import { MOST_HELD, resumable } from "./resumable-file.ts";

const LONG = "x".repeat(MOST_HELD);

async function* made(parts: readonly (string | Uint8Array)[], fails = false) {
  yield* parts;
  if (fails) throw new Error("cancelled");
}

/** Returns the parts that a client gets, and the error with which its file breaks off. */
async function got(
  first: AsyncIterable<string | Uint8Array>,
  second: readonly (string | Uint8Array)[] | Error = new Error("there is no second attempt"),
) {
  const parts: Uint8Array[] = [];
  const text = () => Buffer.concat(parts).toString();
  const again = async () => {
    if (second instanceof Error) throw second;
    return made(second);
  };
  try {
    for await (const part of resumable(first, again)) parts.push(Buffer.from(part as string));
    return { text: text(), error: null };
  } catch (error) {
    return { text: text(), error: (error as Error).message };
  }
}

describe("a file of two attempts", () => {
  it.each([
    ["is the first attempt when that is whole", made(["a", "b"]), undefined, "ab"],
    ["has text and bytes", made([Buffer.from("æ"), "b"]), undefined, "æb"],
    ["continues in the middle of bytes", made([LONG, "æ"], true), [LONG, Buffer.from("æb")], "…æb"],
    ["is the second attempt when nothing was sent", made(["a"], true), ["c", "d"], "cd"],
    ["continues in the middle of a part", made([LONG, "ab"], true), [`${LONG}a`, "bcd"], "…abcd"],
    ["continues after the end of a part", made([LONG, "a"], true), [LONG, "a", "b"], "…ab"],
    ["has nothing more to send", made([LONG, "a"], true), [LONG, "a"], "…a"],
  ])("%s", async (_, first, second, text) => {
    const file = await got(first, second);
    expect(file.error).toBeNull();
    expect(file.text.replace(LONG, "…")).toBe(text);
  });

  it.each([
    ["begins differently", made([LONG, "a"], true), [LONG, "b", "c"]],
    ["is shorter than what was sent", made([LONG, "ab"], true), [LONG, "a"]],
  ])("breaks off when the second one %s", async (_, first, second) => {
    const file = await got(first, second);
    expect(file.error).toBe("the file has changed since its beginning was sent");
    expect(file.text.length).toBeLessThanOrEqual(MOST_HELD + 2);
  });

  it("keeps bytes that are no text", async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0xc3]);
    const long = Buffer.alloc(MOST_HELD, 0xff);
    const parts: Uint8Array[] = [];
    const again = async () => made([long, bytes, bytes]);
    for await (const part of resumable(made([long, bytes], true), again)) {
      parts.push(Buffer.from(part as Uint8Array));
    }
    expect(Buffer.concat(parts).equals(Buffer.concat([long, bytes, bytes]))).toBe(true);
  });

  it("fails with the error that refuses the second one", async () => {
    expect(await got(made(["a"], true))).toEqual({ text: "", error: "there is no second attempt" });
  });
});
