/** The columns of a row type in the program. */
import { type Checker, SymbolFlags, type Type, TypeFlags } from "typescript/unstable/sync";

/** The kind of a value in memory; `object` is any JSON value of no other kind. */
export type Kind =
  | "string"
  | "number"
  | "bigint"
  | "boolean"
  | "Buffer"
  | "object"
  | "unknown"
  | "undefined"
  | `${"string" | "number" | "bigint" | "boolean"}[]`;

interface DeclaredColumn {
  /** More than one for a union. */
  readonly kinds: readonly Kind[];
  readonly may_be_null: boolean;
  readonly may_lack: boolean;
}

/** Columns by name; undefined for a row that accepts any columns. */
export type DeclaredRow = ReadonlyMap<string, DeclaredColumn> | undefined;

/** A union of rows has the columns of all members; a column that one member does not have may be missing. */
export function declaredRow(checker: Checker, row: Type): DeclaredRow {
  const members = row.isUnionType() ? row.getTypes() : [row];
  if (members.some((one) => checker.getIndexInfosOfType(one).length > 0)) return undefined;
  const columns = new Map<string, DeclaredColumn[]>();
  for (const member of members) {
    for (const property of checker.getPropertiesOfType(member)) {
      const type = checker.getTypeOfSymbol(property);
      if (type === undefined) throw new Error(`the type of ${property.name} is unknown`);
      const is_optional = (property.flags & SymbolFlags.Optional) !== 0;
      const found = columns.get(property.name) ?? [];
      columns.set(property.name, [...found, columnOf(checker, type, is_optional)]);
    }
  }
  return new Map(
    [...columns].map(([name, found]) => [
      name,
      {
        kinds: [...new Set(found.flatMap(({ kinds }) => kinds))],
        may_be_null: found.some(({ may_be_null }) => may_be_null),
        may_lack: found.length < members.length || found.some(({ may_lack }) => may_lack),
      },
    ]),
  );
}

function columnOf(checker: Checker, type: Type, is_optional: boolean): DeclaredColumn {
  const parts = type.isUnionType() ? type.getTypes() : [type];
  const values = parts.filter(({ flags }) => (flags & TypeFlags.Null) === 0);
  const kinds = values.map((one) => kindOf(checker, one));
  return {
    kinds: [...new Set(is_optional ? kinds.filter((kind) => kind !== "undefined") : kinds)],
    may_be_null: values.length < parts.length || kinds.includes("unknown"),
    may_lack: is_optional,
  };
}

const PRIMITIVES = [
  [TypeFlags.StringLike, "string"],
  [TypeFlags.NumberLike, "number"],
  [TypeFlags.BigIntLike, "bigint"],
  [TypeFlags.BooleanLike, "boolean"],
] as const;

function kindOf(checker: Checker, type: Type): Kind {
  const primitive = primitiveOf(type);
  if (primitive !== undefined) return primitive;
  if (type.flags & TypeFlags.AnyOrUnknown) return "unknown";
  if (type.flags & TypeFlags.Undefined) return "undefined";
  if (type.isTypeReference() && checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type);
    const of_elements = element && primitiveOf(element);
    return of_elements === undefined ? "object" : `${of_elements}[]`;
  }
  return type.getSymbol()?.name === "Buffer" ? "Buffer" : "object";
}

/** The primitive of a branded type. */
function primitiveOf(type: Type): (typeof PRIMITIVES)[number][1] | undefined {
  if (type.isUnionType() || type.isIntersectionType()) {
    return type
      .getTypes()
      .map(primitiveOf)
      .find((found) => found !== undefined);
  }
  return PRIMITIVES.find(([flag]) => type.flags & flag)?.[1];
}
