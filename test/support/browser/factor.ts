/** A person's authenticator app and recovery codes, set up on the pages as a person does it. */
import { totpCode, totpStep } from "../../../src/platform/security/totp.ts";
import type { World } from "../world/world.ts";
import type { Browser, PageReply } from "./browser.ts";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The bytes of a secret that is shown in base 32. */
function bytesOf(shown: string): Buffer {
  const bits = [...shown].map((one) => BASE32.indexOf(one).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export interface TestApp {
  /** The code that the app shows `offset` steps of 30 seconds from now. */
  code(offset?: number): string;
  /** The recovery codes that were shown at the set-up. */
  readonly recovery: readonly string[];
}

/** Starts the set-up; returns the page with the secret and the app that has read it. */
export async function beginApp(browser: Browser) {
  await browser.submit(await browser.get("/me"), "/me/factors/app/new", {});
  const page = await browser.get("/me/factors/app");
  const secret = /secret=([A-Z2-7]+)/.exec(page.html)?.[1] ?? "";
  const code = (offset = 0) => totpCode(bytesOf(secret), totpStep(Date.now()) + offset);
  return { page, secret, code };
}

/** Adds an authenticator app to the login that the browser is signed in with. */
export async function addApp(world: World, browser: Browser): Promise<TestApp> {
  const { page, code } = await beginApp(browser);
  const done = await browser.submit(page, "/me/factors/app", { code: code() });
  await freshCodes(world);
  return { code, recovery: codesOn(done) };
}

export function codesOn({ html }: PageReply): readonly string[] {
  return /id="recovery-codes">([^<]*)</.exec(html)?.[1]?.trim().split("\n") ?? [];
}

/** Lets the present code of every app be used again, so that a test need not wait for the next one. */
export async function freshCodes(world: World): Promise<void> {
  await world.sql("update authenticators set last_step = 0 where state = 'active'");
}
