/**
 * Validates the answers of tools with the schemas that assistants see, and with the
 * original schemas, which allow no further field.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as z from "zod";
import { tools as own_tools } from "../../src/assistant/catalogue.ts";
import type { Agent, Called } from "../support/mcp/mcp.ts";
import type { Json } from "../support/world/world.ts";

export interface CheckedAgent extends Agent {
  /** Like `call`; throws for an answer that does not fit the tool's schema. */
  callChecked(tool: string, args?: Json): Promise<Called>;
  /** The data of a tool; throws for a refusal. */
  dataOf(tool: string, args?: Json): Promise<Json>;
  /** Every row of a list, in small pages. */
  every(tool: string, args?: Json): Promise<Json[]>;
}

/** The assistant with the schemas of its own catalogue. */
export async function checkedAgent(agent: Agent): Promise<CheckedAgent> {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
  addFormats.default(ajv);
  ajv.addKeyword("example");
  const { tools } = (await agent.rpc("tools/list")).body.result;
  const shown = new Map<string, ValidateFunction>(
    tools.flatMap(({ name, outputSchema }: Json) =>
      outputSchema === undefined ? [] : [[name, ajv.compile(outputSchema)]],
    ),
  );
  const whole = new Map<string, ValidateFunction>(
    own_tools.map(({ name, output }) => [name, ajv.compile(closed(wholeSchema(output)))]),
  );
  const callChecked = async (tool: string, args: Json = {}): Promise<Called> => {
    const called = await agent.call(tool, args);
    const structured = called.is_error ? { error: called.data } : called.data;
    // The listed schema fits refusals as well, because some clients validate them with it.
    const schemas = [shown.get(tool), called.is_error ? undefined : whole.get(tool)];
    if (!called.is_error && whole.get(tool) === undefined) throw new Error(`there is no ${tool}`);
    for (const fits of schemas) {
      if (fits === undefined || fits(structured)) continue;
      throw new Error(`${tool} ${JSON.stringify(args)} answers ${JSON.stringify(fits.errors)}`);
    }
    return called;
  };
  const reported = async (tool: string, args: Json = {}): Promise<Json> => {
    const { is_error, text, data } = await callChecked(tool, args);
    if (is_error) throw new Error(`${tool} ${JSON.stringify(args)} was refused: ${text}`);
    return data;
  };
  return {
    ...agent,
    callChecked,
    dataOf: reported,
    async every(tool, args = {}) {
      const rows: Json[] = [];
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await reported(tool, { ...args, limit: 3, ...(cursor ? { cursor } : {}) });
        rows.push(...page.data);
        cursor = page.next_cursor ?? undefined;
        more = page.has_more;
        if (more !== (cursor !== undefined)) throw new Error(`${tool} has more without a cursor`);
      }
      return rows;
    },
  };
}

function wholeSchema(output: z.ZodObject): Json {
  return z.toJSONSchema(output, {
    io: "output",
    unrepresentable: "any",
    reused: "inline",
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
    },
  });
}

/** The schema with objects that allow no further field. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  );
  const is_object = schema.type === "object" && schema.properties !== undefined;
  return is_object && schema.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}
