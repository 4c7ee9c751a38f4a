interface Options {
  readonly say?: (message: string) => void
}

export function buildPages(options?: Options): void
export function buildTag(options?: Options): void
