import type { Reader } from './reader.ts'
import { safely } from './safely.ts'

/** Events of a shown banner. Each counts once, however often it is reported. */
export type Kind = 'impression' | 'view' | 'click'

export interface Reporter {
  report(token: string, kind: Kind): void
}

const GATHER_MS = 200
const EVENTS_MAX = 20
const TRIES_MAX = 4
const RETRY_MS = 1_000
const URL_LENGTH_MAX = 2_048

/** Batches events briefly and sends them at once when the page closes. Failed batches are sent again. */
export function createReporter(origin: string, reader: Reader): Reporter {
  const waiting: object[] = []
  const flush = safely(() => {
    while (waiting.length > 0)
      send(
        JSON.stringify({
          events: waiting.splice(0, EVENTS_MAX),
          consent: reader.describe().consent,
        }),
      )
  })
  const send = (body: string, tries = 1): void => {
    const again = () => {
      if (tries < TRIES_MAX) setTimeout(() => send(body, tries + 1), RETRY_MS * tries ** 2)
    }
    // Plain text, to avoid a CORS preflight; `keepalive` outlives the page.
    fetch(`${origin}/t/e`, { method: 'POST', body, keepalive: true, credentials: 'omit' }).then(
      ({ status }) => status === 503 && again(),
      again,
    )
  }
  addEventListener('pagehide', flush)
  document.addEventListener('visibilitychange', flush)
  return {
    report(token, kind) {
      waiting.push({ token, kind, pageUrl: pageUrl() })
      if (waiting.length === 1) setTimeout(flush, GATHER_MS)
    },
  }
}

/** Without the fragment, which is private to the reader. */
export const pageUrl = () => location.href.split('#')[0]!.slice(0, URL_LENGTH_MAX)
