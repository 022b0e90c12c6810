/** Branded text: values that are strings at run time and cannot be mixed up by the compiler. */
declare const brand: unique symbol;

export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

/** Ids are UUIDs in lower case, made by `newId` in the platform; those of occurrences' lines follow from others. */
export type AccountId = Brand<string, "AccountId">;
export type UserId = Brand<string, "UserId">;
export type CustomerId = Brand<string, "CustomerId">;
export type ProductId = Brand<string, "ProductId">;
export type InvoiceId = Brand<string, "InvoiceId">;
export type LineId = Brand<string, "LineId">;
/** ISO 8601 in UTC with milliseconds and `Z`. Text, so that it compares and travels unchanged. */
export type Timestamp = Brand<string, "Timestamp">;
