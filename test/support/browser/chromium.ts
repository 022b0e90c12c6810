/** The Chromium of this machine; without one, tests that need it are skipped, or fail with CI=true. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { isSkippedWithout } from "../run/needs.ts";

/** Undefined without a Chromium. */
const chromiumPath: string | undefined = [
  process.env.CHROMIUM_PATH,
  // Has no windows and opens pages faster.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => path !== undefined && path !== "" && existsSync(path));

/** Whether tests that need a Chromium are skipped. */
export const lacksChromium = isSkippedWithout(chromiumPath !== undefined);

/** The address suggestions of a hidden window: two extra pages for every context, as much work as the page under test. */
const ADDRESS_BAR = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];
/** Only the last list counts, so that Playwright's own list (1.65) is repeated here. */
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

/** The caller closes it. */
export async function startChromium(): Promise<Browser> {
  if (chromiumPath === undefined) {
    throw new Error("no Chromium was found: install one or set CHROMIUM_PATH");
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
