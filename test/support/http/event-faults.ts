/** Compares events with the schemas that the OpenAPI document has for their types. */
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Json } from "../world/world.ts";
import { openApi } from "./openapi.ts";

const ADDRESS = "http://matchbook.example/openapi";
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: ADDRESS, components: openApi.components } as AnySchemaObject);

const compiled = new Map<string, ValidateFunction>();

/** Returns what of an event its schema does not allow: nothing, or the type with the faults. */
export function eventFaults(event: Json): string[] {
  const { mapping } = openApi.components.schemas.AnyEvent.discriminator;
  const reference = mapping[event.type];
  if (reference === undefined) return [`${event.type} is no type of the OpenAPI document`];
  const validate = compiled.get(reference) ?? ajv.compile({ $ref: `${ADDRESS}${reference}` });
  compiled.set(reference, validate);
  if (validate(event)) return [];
  return [`${event.type}: ${ajv.errorsText(validate.errors)}`];
}
