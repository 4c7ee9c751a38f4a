import { reportStart } from './progress.ts'
import { readConfig } from './settings/config.ts'
import { startNode } from './node.ts'
import { StartRefused } from './platform/problem.ts'

/** Environment → settings → node. SIGTERM and SIGINT drain; a second one ends at once. */
async function main(): Promise<void> {
  const node = await startNode(readConfig(process.env), process.env)
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    void node.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
}

await main().catch((error: unknown) => {
  reportStart(error instanceof StartRefused ? error.message : error)
  process.exit(1)
})
