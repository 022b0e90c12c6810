/** The receivers of `docs/webhooks.md` as programs of their own: what they take, what they refuse, and what they ignore. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send } from "../../../../test/support/http/send.ts";
import { packageRoot } from "../../../platform/runtime/paths.ts";

const PROGRAMS = [
  ["Node", "js", process.execPath, "receiver.mjs"],
  ["Python", "python", "python3", "receiver.py"],
] as const;

let folder: string;
const running: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-receivers-"));
});
afterAll(async () => {
  for (const child of running) child.kill();
  await rm(folder, { recursive: true });
});

const [first, second, unknown] = [1, 2, 3].map(() => randomBytes(32));

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

function signature(key: Buffer | undefined, id: string, at: number, body: string): string {
  const digest = createHmac("sha256", key ?? "")
    .update(`${id}.${at}.${body}`)
    .digest("base64");
  return `v1,${digest}`;
}

describe.each(PROGRAMS)("the receiver in %s", (_name, language, command, file) => {
  it("takes what is signed by either secret, once", async () => {
    const page = await readFile(join(packageRoot, "docs", "webhooks.md"), "utf8");
    const [, program = ""] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page) ?? [];
    await writeFile(join(folder, file), program);
    const port = await freePort();
    const secrets = [first, second].map((key) => `whsec_${key?.toString("base64")}`).join(" ");
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRETS: secrets };
    const child = spawn(command, [join(folder, file)], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.push(child);
    let out = "";
    child.stdout.on("data", (text) => {
      out += text;
    });
    await expect.poll(() => out).toBe("listening\n");

    const now = Math.floor(Date.now() / 1000);
    const post = async (
      id: string,
      key: Buffer | undefined,
      at = now,
      change = "",
    ): Promise<number> => {
      const body = JSON.stringify({ id, sequence: 7, type: "invoice.issued", resource_id: "æ" });
      const headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(at),
        "webhook-signature": `${signature(unknown, id, at, body)} ${signature(key, id, at, body)}`,
      };
      const reply = await send(`http://127.0.0.1:${port}/`, {
        method: "POST",
        headers,
        body: body + change,
      });
      return reply.status;
    };
    expect(await post("a", first)).toBe(204);
    expect(await post("a", first)).toBe(204);
    expect(await post("b", second)).toBe(204);
    expect(await post("c", unknown)).toBe(400);
    expect(await post("c", first, now, " ")).toBe(400);
    expect(await post("c", first, now - 600)).toBe(400);
    await expect.poll(() => out).toBe(`listening\n${"7 invoice.issued æ\n".repeat(2)}`);
  });
});
