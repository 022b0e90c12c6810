/** The Chromium of this machine; tests that need one are skipped where there is none, and fail there where CI=true. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { isSkippedWithout } from "../run/needs.ts";

/** Undefined where there is none. */
const chromiumPath: string | undefined = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => path !== undefined && path !== "" && existsSync(path));

/** Whether tests that need a Chromium are skipped. */
export const lacksChromium = isSkippedWithout(chromiumPath !== undefined);

/** What suggests addresses in the bar of a window that nobody sees: two pages of its own for every context, as much work as what is looked at. */
const ADDRESS_BAR = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];
/** Only the last list counts, so that Playwright's (1.65) is said again. */
const OFF_AS_USUAL = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Whoever starts it closes it. */
export async function startChromium(): Promise<Browser> {
  if (chromiumPath === undefined) {
    throw new Error("there is no Chromium: install it, or name one by CHROMIUM_PATH");
  }
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      `--disable-features=${[...OFF_AS_USUAL, ...ADDRESS_BAR].join()}`,
    ],
  });
}
