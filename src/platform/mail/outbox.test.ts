import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RenderedMail } from "./mail.ts";
import { openOutbox, removeLeftovers } from "./outbox.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "matchbook-outbox-"));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

function rendered(raw: string, message_id = "0190f3a2@matchbook.example"): RenderedMail {
  return {
    message_id,
    from: "invoices@firm.example",
    to: "anna@customer.example",
    raw: Buffer.from(raw),
  };
}

describe("removeLeftovers", () => {
  it("removes only the old temporary files of processes that died during a write", async () => {
    const id = "0b1c6f0e-7d3c-4a57-9a56-9d6c3f2a1b0c";
    const left = `.0190f3a2@matchbook.example.${id}`;
    const fresh = `.0190f3a3@matchbook.example.${id}`;
    const others = ["0190f3a2@matchbook.example.eml", ".keep", `.notes.${id}`];
    for (const name of [left, fresh, ...others]) await writeFile(join(home, name), "x");
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const name of [left, ...others]) await utimes(join(home, name), old, old);

    expect(await removeLeftovers(home)).toBe(1);

    expect((await readdir(home)).sort()).toEqual([fresh, ...others].sort());
    expect(await removeLeftovers(join(home, "nowhere"))).toBe(0);
  });
});

describe("openOutbox", () => {
  it("creates the folder and writes the exact bytes to a file named after the message id", async () => {
    const dir = join(home, "data", "outbox");
    const outbox = openOutbox({ dir });
    const mail = rendered("Subject: x\r\n\r\n\u00e6\r\n.\r\n");

    expect(await outbox.send(mail)).toEqual({ state: "written_to_outbox" });
    expect(await readdir(dir)).toEqual(["0190f3a2@matchbook.example.eml"]);
    const written = await readFile(join(dir, "0190f3a2@matchbook.example.eml"));
    expect(written.equals(mail.raw)).toBe(true);
    if (process.platform !== "win32") expect((await stat(dir)).mode & 0o077).toBe(0);
    await outbox.close();
  });

  it("replaces the file if the same message is sent again", async () => {
    const outbox = openOutbox({ dir: home });
    await outbox.send(rendered("first"));
    await outbox.send(rendered("second"));
    await outbox.send(rendered("other", "0190f3a3@matchbook.example"));

    expect((await readdir(home)).sort()).toEqual([
      "0190f3a2@matchbook.example.eml",
      "0190f3a3@matchbook.example.eml",
    ]);
    expect(await readFile(join(home, "0190f3a2@matchbook.example.eml"), "utf8")).toBe("second");
  });

  it("shows no incomplete message during simultaneous writes of the same one", async () => {
    const outbox = openOutbox({ dir: home });
    const contents = Array.from({ length: 20 }, (_, index) => String(index % 10).repeat(200_000));
    let isWriting = true;
    const seen = new Set<string>();
    const watching = (async () => {
      while (isWriting) {
        for (const name of await readdir(home)) {
          if (name.endsWith(".eml")) seen.add(await readFile(join(home, name), "utf8"));
        }
      }
    })();
    const outcomes = await Promise.all(contents.map((content) => outbox.send(rendered(content))));
    isWriting = false;
    await watching;

    expect(outcomes.every((outcome) => outcome.state === "written_to_outbox")).toBe(true);
    for (const content of seen) expect(contents).toContain(content);
    expect(await readdir(home)).toHaveLength(1);
  });

  it("hides an incomplete file from programs that read messages", async () => {
    const outbox = openOutbox({ dir: home });
    let isWriting = true;
    const names = new Set<string>();
    const watching = (async () => {
      while (isWriting) for (const name of await readdir(home)) names.add(name);
    })();
    await outbox.send(rendered("x".repeat(5_000_000)));
    isWriting = false;
    await watching;

    for (const name of names) {
      expect(name === "0190f3a2@matchbook.example.eml" || name.startsWith(".")).toBe(true);
      if (name.startsWith(".")) expect(name.endsWith(".eml")).toBe(false);
    }
  });

  it("waits for messages in progress when it closes", async () => {
    const outbox = openOutbox({ dir: home });
    void outbox.send(rendered("x".repeat(1_000_000)));
    await outbox.close();
    expect(await readdir(home)).toEqual(["0190f3a2@matchbook.example.eml"]);
  });

  it("fails temporarily, with its own message, if the folder cannot be created", async () => {
    await writeFile(join(home, "taken"), "a file, no folder");
    const outcome = await openOutbox({ dir: join(home, "taken", "outbox") }).send(rendered("x"));

    expect(outcome).toMatchObject({
      state: "failed_temporary",
      error_code: "outbox_not_writable",
      error_text: "The message cannot be written to the outbox folder.",
    });
  });

  it.runIf(existsSync("/proc/self"))(
    "fails temporarily below /proc, and does not hang (needs /proc)",
    async () => {
      const outbox = openOutbox({ dir: "/proc/matchbook/outbox" });
      expect(await outbox.send(rendered("x"))).toMatchObject({
        state: "failed_temporary",
        error_code: "outbox_not_writable",
      });
    },
  );

  it("leaves no temporary file if a folder has the name of the message", async () => {
    const outbox = openOutbox({ dir: join(home, "0190f3a2@matchbook.example.eml") });
    await outbox.send(rendered("x", "inner@matchbook.example"));
    const outcome = await openOutbox({ dir: home }).send(rendered("x"));

    expect(outcome).toMatchObject({ state: "failed_temporary" });
    expect(await readdir(home)).toEqual(["0190f3a2@matchbook.example.eml"]);
  });

  it("writes nothing outside of the folder for any message id", async () => {
    const dir = join(home, "outbox");
    for (const message_id of ["../escape@x", "/etc/escape@x", "..", "a\0@x", ""]) {
      const outcome = await openOutbox({ dir }).send(rendered("x", message_id));
      expect(outcome).toMatchObject({ state: "failed_permanent" });
    }
    expect(await readdir(home)).toEqual([]);
  });
});
