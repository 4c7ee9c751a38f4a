/**
 * Node's flags, the same for `npm start` and the image. V8 takes them on the command line only and passes
 * them on to threads; forked processes inherit them. Reasons: ADR 0031.
 */
export const START_FLAGS: readonly string[] = [
  '--min-semi-space-size=32',
  '--initial-old-space-size=256',
  '--no-parallel-scavenge',
  '--use-largepages=silent',
  '--no-allocation-site-pretenuring',
  '--no-memory-reducer',
]
