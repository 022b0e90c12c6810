/**
 * Every operation of the OpenAPI document shows a real request and its answer: the walk of
 * `test/support/http/example-walk.ts`. After a change run `npm run update-examples` and read the diff.
 */
import { writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { examplesFile, readExamples } from "../../src/platform/http/examples.ts";
import { playedExamples } from "../support/http/examples.ts";
import { openApi } from "../support/http/openapi.ts";
import type { Json } from "../support/world/world.ts";

it("shows what the service answers; if not, run `npm run update-examples`", async () => {
  const played = JSON.parse(JSON.stringify(await playedExamples()));
  if (process.env.UPDATE_EXAMPLES) {
    writeFileSync(examplesFile, `${JSON.stringify(played, null, 1)}\n`);
  }
  expect(played, "run `npm run update-examples`").toEqual(readExamples());
});

const HAS_NO_EXAMPLE = /^application\/(pdf|xml|vnd\.apache\.parquet)$|^image\//;

describe("every operation", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const address = "http://matchbook.example/openapi";
  ajv.addSchema({ $id: address, components: openApi.components });
  const faults = (schema: Json, example: Json): unknown => {
    const absolute = JSON.stringify(schema).replaceAll('"#/', `"${address}#/`);
    const validate = ajv.compile(JSON.parse(absolute));
    validate(example);
    return validate.errors ?? [];
  };
  const all = Object.values<Json>(openApi.paths).flatMap((item) => Object.values<Json>(item));

  it.each(all.map((operation): [string, Json] => [operation.operationId, operation]))(
    "shows a request and an answer that fit its schemas: %s",
    (_id, { parameters = [], requestBody, responses }) => {
      for (const { name, in: place, required, schema, example } of parameters) {
        if (place === "header") continue;
        if (required) expect(example, name).toBeDefined();
        if (example !== undefined) expect(faults(schema, example), name).toEqual([]);
      }
      const body = requestBody?.content["application/json"];
      if (body !== undefined) {
        expect(body.example).toBeDefined();
        expect(faults(body.schema, body.example)).toEqual([]);
      }
      for (const [status, { content = {} }] of Object.entries<Json>(responses)) {
        if (status >= "300") continue;
        for (const [type, { schema, example }] of Object.entries<Json>(content)) {
          if (HAS_NO_EXAMPLE.test(type)) continue;
          expect(example, `${status} ${type}`).toBeDefined();
          expect(faults(schema, example), status).toEqual([]);
        }
      }
    },
  );

  it("detects an answer of another resource", () => {
    const { example } = openApi.paths["/customers"].get.responses[200].content["application/json"];
    const schema = { $ref: "#/components/schemas/Invoice" };
    expect(faults(schema, example)).not.toEqual([]);
  });
});
