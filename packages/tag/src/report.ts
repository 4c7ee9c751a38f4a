import { safely } from './safely.ts'

/** What is told of a shown banner; each counts once, however often it is told. */
export type Kind = 'impression' | 'view' | 'click'

export interface Reporter {
  report(token: string, kind: Kind): void
}

const GATHER_MS = 200
const EVENTS_MAX = 20
const TRIES_MAX = 4
const RETRY_MS = 1_000
const URL_LENGTH_MAX = 2_048

/** Gathers events for a moment, and at once when the page goes; what is refused is sent again. */
export function createReporter(origin: string): Reporter {
  const waiting: object[] = []
  const flush = safely(() => {
    while (waiting.length > 0) send(JSON.stringify({ events: waiting.splice(0, EVENTS_MAX) }))
  })
  const send = (body: string, tries = 1): void => {
    const again = () => {
      if (tries < TRIES_MAX) setTimeout(() => send(body, tries + 1), RETRY_MS * tries ** 2)
    }
    // Plain text, so that the browser need not ask first; alive beyond the page.
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

/** Without the fragment, which is the reader's own business. */
export const pageUrl = () => location.href.split('#')[0]!.slice(0, URL_LENGTH_MAX)
