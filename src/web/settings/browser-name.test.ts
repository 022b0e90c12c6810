/** The names of browsers, by the headers that they send. */
import { expect, it } from "vitest";
import { browserName } from "./browser-name.ts";

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.each([
  [`${WINDOWS} ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, "Chrome, Windows"],
  [`${WINDOWS} ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, "Edge, Windows"],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`, "Safari, macOS"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox, Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
    "Safari, iPhone",
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet, Android",
  ],
  ["curl/8.5.0", null],
  ["", null],
  [null, null],
])("names %s", (user_agent, name) => {
  expect(browserName(user_agent)).toBe(name);
});
