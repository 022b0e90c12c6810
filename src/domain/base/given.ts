/** The fields of a change that were sent; an absent field stays as it is. */
export function given<Fields extends object>(fields: Fields): Partial<Fields> {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Partial<Fields>;
}
