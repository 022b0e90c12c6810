/**
 * What the types of `tables.ts` say of a column beside what is read of it: that it may be left out when a row is
 * stored, or is written as something else.
 */

declare const IS: unique symbol;

/** Has a default. */
export interface Generated<Value> {
  readonly [IS]: { readonly read: Value; readonly written: Value; readonly may_lack: true };
}

/** Read as one type, and written as another. */
export interface ColumnType<Read, Written> {
  readonly [IS]: { readonly read: Read; readonly written: Written };
}

type ReadOf<Column> = Column extends { readonly [IS]: { readonly read: infer Read } }
  ? Read
  : Column;

type WrittenOf<Column> = Column extends { readonly [IS]: { readonly written: infer Written } }
  ? Written
  : Column;

/** The columns that a row may leave out. */
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

/** A row as it is stored; columns with a default and those that may be null may be left out. */
export type Insertable<Table> = Updatable<Pick<Table, Lacking<Table>>> & {
  readonly [Name in Exclude<keyof Table, Lacking<Table>>]: WrittenOf<Table[Name]>;
};
