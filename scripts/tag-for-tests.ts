import { buildTag } from './build-pages.mjs'

/** Runs before the first test: a server without its tag does not start. */
export function setup(): void {
  buildTag()
}
