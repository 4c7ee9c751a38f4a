import type { Consent } from './reader.ts'
import { safely } from './safely.ts'

/** A conversion as the shop reports it. */
export interface Conversion {
  readonly kind: 'content_view' | 'add_to_cart' | 'checkout' | 'purchase'
  readonly orderId?: string
  readonly valueMicros?: string
  readonly currency?: string
}

export interface Shop {
  /** Only with consent to storage; otherwise the click id works on the landing page only. */
  keep(consent: Consent | undefined): void
  tell(conversion: Conversion, consent: Consent | undefined): void
}

const NAME = 'placard_click'
const SECONDS = 30 * 86_400

/** Keeps the click id of a landing page in a first-party cookie, and reports conversions with it. */
export function openShop(origin: string): Shop {
  const landed = new URLSearchParams(location.search).get(NAME)
  return {
    keep: safely((consent: Consent | undefined) => {
      const storage = consent?.storage
      if (storage === false) write('', 0)
      else if (storage && landed) write(landed, SECONDS)
    }),
    tell: safely((conversion: Conversion, consent: Consent | undefined) => {
      const token = landed ?? read()
      if (!token) return
      const body = JSON.stringify({ token, ...conversion, consent })
      const headers = { 'content-type': 'text/plain' }
      const request = { method: 'POST', body, headers, keepalive: true } as const
      void fetch(`${origin}/t/v`, { ...request, credentials: 'omit' }).catch(() => {})
    }),
  }
}

function write(value: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // oxlint-disable-next-line unicorn/no-document-cookie -- not every browser has the Cookie Store API
  document.cookie = `${NAME}=${encodeURIComponent(value)}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`
}

const read = () => new RegExp(`(?:^|; )${NAME}=([\\w-]+)`).exec(document.cookie)?.[1]
