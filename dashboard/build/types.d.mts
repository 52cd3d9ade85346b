export const SCHEMA: URL;
export function schema(): Promise<string>;
