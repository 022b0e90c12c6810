/**
 * Arrays as PostgreSQL reads them in a parameter. Bulk statements pass columns of thousands of ids,
 * amounts and months, of which none needs quotes: the driver would quote and join them one by one.
 */

/** Nothing in such a text means anything to PostgreSQL but itself. */
const PLAIN = /^[\w.:+-]+$/;

/**
 * The literal of a one-dimensional array; undefined where it holds anything but texts, numbers, bigints,
 * booleans, bytes and nulls, which is left to the driver.
 */
export function arrayText(values: readonly unknown[]): string | undefined {
  const parts: string[] = [];
  for (const value of values) {
    const part = elementText(value);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return `{${parts.join(",")}}`;
}

function elementText(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return PLAIN.test(value) && !isNull(value) ? value : quoted(value);
    case "bigint":
    case "number":
    case "boolean":
      return String(value);
    default:
      if (value === null || value === undefined) return "NULL";
      return Buffer.isBuffer(value) ? `"\\\\x${value.toString("hex")}"` : undefined;
  }
}

/** Unquoted it would be no text. */
function isNull(value: string): boolean {
  return value.length === 4 && value.toUpperCase() === "NULL";
}

function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, "\\$&")}"`;
}
