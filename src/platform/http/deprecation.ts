/** Says on every answer of a route that it is deprecated (RFC 9745). What is deprecated stays: the API only grows. */
import type { FastifyReply } from "fastify";
import { type CalendarDate, daysBetween } from "../../domain/base/calendar.ts";

export interface Deprecation {
  /** The day since which it is deprecated. */
  readonly since: CalendarDate;
  /** The address of the page that says what to use instead. */
  readonly link: string;
}

const EPOCH = "1970-01-01" as CalendarDate;
const SECONDS_A_DAY = 86_400;

export function nameDeprecation({ since, link }: Deprecation, reply: FastifyReply): void {
  reply.header("deprecation", `@${(daysBetween(EPOCH, since) - 1) * SECONDS_A_DAY}`);
  reply.header("link", `<${link}>; rel="deprecation"`);
}
