/** Bytes that all of this origin takes up and may take up, as far as the browser tells; undefined where it does not. */
export async function storageSpace(): Promise<{ usage?: number; quota?: number } | undefined> {
  const told = await globalThis.navigator?.storage?.estimate?.();
  if (told === undefined) return undefined;
  const { usage, quota } = told;
  return { ...(usage !== undefined && { usage }), ...(quota !== undefined && { quota }) };
}
