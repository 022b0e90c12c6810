/** The column types of `tables.ts`: the type read, and whether a stored row may omit the column or use another type. */

import type { Timestamp } from "../../domain/base/brand.ts";

declare const IS: unique symbol;

/** A column with a default. */
export interface Generated<Value> {
  readonly [IS]: { readonly read: Value; readonly written: Value; readonly may_lack: true };
}

/** A column that is read as one type and written as another. */
export interface ColumnType<Read, Written> {
  readonly [IS]: { readonly read: Read; readonly written: Written };
}

/** Stamped by the database with `stamp(account_id)`. */
export type Stamped = ColumnType<Timestamp, Timestamp | string>;
/** JSON columns are written as text and read as values. */
export type Json<Value> = ColumnType<Value, string>;

type ReadOf<Column> = Column extends { readonly [IS]: { readonly read: infer Read } }
  ? Read
  : Column;

type WrittenOf<Column> = Column extends { readonly [IS]: { readonly written: infer Written } }
  ? Written
  : Column;

/** The columns that a row may omit. */
type Lacking<Table> = {
  [Name in keyof Table]: Table[Name] extends { readonly [IS]: { readonly may_lack: true } }
    ? Name
    : null extends WrittenOf<Table[Name]>
      ? Name
      : never;
}[keyof Table];

/** A row of a table as it is read. */
export type Selectable<Table> = { [Name in keyof Table]: ReadOf<Table[Name]> };

/** Any columns of a table as they are written. */
export type Updatable<Table> = { readonly [Name in keyof Table]?: WrittenOf<Table[Name]> };

/** A row as it is stored; columns with a default and nullable columns may be omitted. */
export type Insertable<Table> = Updatable<Pick<Table, Lacking<Table>>> & {
  readonly [Name in Exclude<keyof Table, Lacking<Table>>]: WrittenOf<Table[Name]>;
};
