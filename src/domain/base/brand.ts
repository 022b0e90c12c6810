/** Branded text: values that are strings at run time, which the compiler keeps apart. */
declare const brand: unique symbol;

export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

/** Ids are UUIDs in lower case, created by `newId` in the platform; those of occurrences' lines are derived from others. */
export type AccountId = Brand<string, "AccountId">;
export type UserId = Brand<string, "UserId">;
export type CustomerId = Brand<string, "CustomerId">;
export type ProductId = Brand<string, "ProductId">;
export type InvoiceId = Brand<string, "InvoiceId">;
export type LineId = Brand<string, "LineId">;
/** ISO 8601 in UTC with milliseconds and `Z`. As text it compares and travels unchanged. */
export type Timestamp = Brand<string, "Timestamp">;
