/**
 * How Node is started, wherever Placard is: `npm start` and the image name the same. V8 takes them on
 * the command line only, and hands them on to every thread; forks inherit them. Why these: ADR 0031.
 */
export const START_FLAGS: readonly string[] = [
  '--min-semi-space-size=32',
  '--initial-old-space-size=256',
  '--no-parallel-scavenge',
  '--use-largepages=silent',
  '--no-allocation-site-pretenuring',
  '--no-memory-reducer',
]
