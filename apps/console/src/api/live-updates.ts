import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from './client.ts'

const SECONDS = 300
const AGAIN_MS = 5_000

/** Reloads everything below these paths as soon as the server reports one of these events. */
export function useLiveUpdates(events: readonly string[], touches: readonly string[]): void {
  const client = useQueryClient()
  const wanted = events.join(' ')
  const paths = touches.join(' ')
  useEffect(() => {
    const abort = new AbortController()
    const onEvent = (event: string) => {
      if (!wanted.split(' ').includes(event)) return
      void client.invalidateQueries({
        predicate: ({ queryKey }) =>
          paths.split(' ').some((path) => String(queryKey[0]).startsWith(path)),
      })
    }
    void follow(abort.signal, onEvent)
    return () => abort.abort()
  }, [client, wanted, paths])
}

/** The server ends a stream after some minutes. After that, or after an error, it reconnects. */
async function follow(signal: AbortSignal, onEvent: (event: string) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      const pieces = await api.listen('/admin/news', { seconds: String(SECONDS) }, signal)
      if (pieces === undefined) return
      await readEvents(pieces.getReader(), onEvent)
    } catch {
      // Lists reload by themselves now and then, so only speed is lost.
    }
    await new Promise((done) => setTimeout(done, AGAIN_MS))
  }
}

async function readEvents(
  reader: ReadableStreamDefaultReader<string>,
  onEvent: (event: string) => void,
): Promise<void> {
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (text + value).split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) onEvent(/^event: (.*)$/m.exec(part)?.[1] ?? '')
  }
}
