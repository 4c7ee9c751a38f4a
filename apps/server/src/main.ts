import { reportStart, say } from './progress.ts'
import { readConfig } from './settings/config.ts'
import { type RunningNode, startNode } from './node.ts'
import { callOffEmbedded } from './platform/database/embedded.ts'
import { StartRefused } from './platform/problem.ts'

let node: RunningNode | undefined
let isStopping = false

/** Environment → settings → node. A signal drains the node, or calls off a start under way; a second one ends at once. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const isWorker = config.PLACARD_ROLE === 'worker'
  const stop = () => stopNode(isWorker ? () => {} : say)
  process.on('SIGTERM', stop)
  // Ctrl-C reaches a worker together with its parent, which ends it when the api is drained.
  process.on('SIGINT', isWorker && process.connected ? () => {} : stop)
  process.on('disconnect', stop)
  node = await startNode(config, process.env)
  // Who started this process waits to hear that it runs.
  process.send?.('started')
}

function stopNode(tell: (message: string) => void): void {
  if (isStopping) process.exit(1)
  isStopping = true
  tell(node ? 'Stopping: requests and jobs that have begun are finished' : 'Stopping the start')
  void (node ? node.stop() : callOffEmbedded()).then(
    () => {
      tell('Placard has stopped.')
      process.exit(0)
    },
    (error: unknown) => {
      process.stderr.write(`Placard did not stop cleanly: ${String(error)}\n`)
      process.exit(1)
    },
  )
}

await main().catch((error: unknown) => {
  if (isStopping) return
  reportStart(error instanceof StartRefused ? error.message : error)
  process.exit(1)
})
