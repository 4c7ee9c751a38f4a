import { reportStart, say } from './progress.ts'
import { readConfig } from './settings/config.ts'
import { type RunningNode, startNode } from './node.ts'
import { callOffEmbedded } from './platform/database/embedded.ts'
import { StartRefused } from './platform/problem.ts'

let node: RunningNode | undefined
let isStopping = false

/** Environment → settings → node. A signal drains the node or cancels a start; a second one ends it at once. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const isWorker = config.PLACARD_ROLE === 'worker'
  const stop = () => stopNode(isWorker ? () => {} : say)
  process.on('SIGTERM', stop)
  // Ctrl-C also reaches a worker, but its parent ends it after draining the api.
  process.on('SIGINT', isWorker && process.connected ? () => {} : stop)
  process.on('disconnect', stop)
  node = await startNode(config, process.env)
  // Tells the parent process that this one runs.
  process.send?.('started')
}

function stopNode(tell: (message: string) => void): void {
  if (isStopping) process.exit(1)
  isStopping = true
  tell(node ? 'Stopping: finishing running requests and jobs' : 'Stopping the start')
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
