/**
 * A world for tests of work registrations: two users for each test, so that no test uses the daily hours of another, drafts and
 * retainers by hours, and short forms of calls on registrations.
 */
import { beforeEach } from "vitest";
import { refusal } from "../http/refusal.ts";
import { useSeries } from "./series.ts";
import type { Json, Reply, WorldOptions } from "./world.ts";

export function useWork(options: WorldOptions = {}) {
  const series = useSeries(options);
  const { world, customer, hours, active, linesOf } = series;
  let bo = "";
  let eva = "";
  let count = 0;

  /** A separate user for a test that counts the hours of a day. */
  const newUser = async (fields: Json = {}): Promise<string> => {
    count += 1;
    const named = { name: `User ${count}`, email: `user-${count}@studio.example` };
    const { id } = await world.done("POST /users", named);
    if (Object.keys(fields).length > 0) await world.done(`PATCH /users/${id}`, fields);
    return id;
  };
  beforeEach(async () => {
    bo = await newUser();
    eva = await newUser();
  });

  /** A draft with lines, by default one by hours at 1000. */
  const invoice = (lines: Json[] = [hours()], fields: Json = {}): Promise<Json> =>
    world.done("POST /invoices", { customer_id: customer.id, lines, ...fields });
  /** The id of the only line of a new draft. */
  const draftLine = async (fields: Json = {}): Promise<string> =>
    (await invoice([hours(fields)])).lines[0].id;
  /** An active monthly series by hours from 2027, invoiced at the end of each month. */
  const hourly = (fields: Json = {}): Promise<Json> =>
    active({ lines: [hours()], issue_timing: { mode: "end-of-period" }, ...fields });
  /** The id of the first line of an occurrence. */
  const lineIn = async (id: string, period: string): Promise<string> =>
    (await linesOf(id, period))[0].id;

  /** Two hours of Bo today, unless fields say otherwise. */
  const work = (line_id: string, fields: Json = {}): Json => ({
    line_id,
    user_id: bo,
    hours: 2,
    ...fields,
  });
  const register = (line_id: string, fields: Json = {}): Promise<Reply> =>
    world.rest("POST /work-registrations", work(line_id, fields));
  /** As `register`; throws for a refusal. */
  const registered = (line_id: string, fields: Json = {}): Promise<Json> =>
    world.done("POST /work-registrations", work(line_id, fields));
  const tried = async (line_id: string, fields: Json = {}): Promise<string> =>
    refusal(await register(line_id, fields));
  const showWork = (id: string): Promise<Json> => world.done(`GET /work-registrations/${id}`);
  const patch = (id: string, changes: Json): Promise<Reply> =>
    world.rest(`PATCH /work-registrations/${id}`, changes);
  const patched = async (id: string, changes: Json): Promise<string> =>
    refusal(await patch(id, changes));
  const removed = async (id: string): Promise<string> =>
    refusal(await world.rest(`DELETE /work-registrations/${id}`));
  const list = async (query = ""): Promise<Json[]> =>
    (await world.done(`GET /work-registrations?limit=100&${query}`)).data;
  const statusOf = async (id: string): Promise<string> => (await showWork(id)).status;

  return {
    ...series,
    bo: (): string => bo,
    eva: (): string => eva,
    newUser,
    invoice,
    draftLine,
    hourly,
    lineIn,
    work,
    register,
    registered,
    tried,
    showWork,
    patch,
    patched,
    removed,
    list,
    statusOf,
  };
}
