/**
 * Arrays in the text form that PostgreSQL reads in a parameter. Bulk statements pass columns of thousands of ids, amounts and
 * months, and none of these values needs quotes; the driver would quote and join them one by one.
 */

/** A text without characters that have a special meaning in an array literal. */
const PLAIN = /^[\w.:+-]+$/;

/** The literal of a flat array of texts, numbers, bigints, booleans, bytes or nulls; undefined for any other array. */
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

/** Whether PostgreSQL would read the text as a null when it has no quotes. */
function isNull(value: string): boolean {
  return value.length === 4 && value.toUpperCase() === "NULL";
}

function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, "\\$&")}"`;
}
