/** Builds the console unless it is there and as its sources are. */
export function buildConsole(options?: { readonly say?: (message: string) => void }): void
