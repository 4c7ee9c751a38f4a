/** Which of these programs are not on the PATH. */
export function missingPrograms(names: readonly string[]): string[]

/** Installs from the system's packages, where this process may; returns what is still missing. */
export function installPrograms(names: readonly string[], say: (message: string) => void): string[]
