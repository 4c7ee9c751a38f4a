import { useZone } from '../../api/me.ts'
import { useNow } from './now.ts'
import { sayAgo, sayInstant, sayMoney } from './format.ts'

/** An amount of money. Every page formats money with this. */
export function Money({
  micros,
  currency,
  none = '—',
}: {
  readonly micros: string | bigint | null | undefined
  readonly currency: string
  readonly none?: string
}) {
  if (micros === null || micros === undefined) return <span className="text-ink-faint">{none}</span>
  return <span className="figures">{sayMoney(micros, currency)}</span>
}

/** How long ago an instant was. The exact time in the account's zone is in its tooltip. */
export function When({
  at,
  isExact = false,
}: {
  readonly at: string | null | undefined
  readonly isExact?: boolean
}) {
  const zone = useZone()
  const now = useNow(60)
  if (!at) return <span className="text-ink-faint">—</span>
  const exact = sayInstant(at, zone)
  return (
    <time dateTime={at} title={`${exact} (${zone})`} className="whitespace-nowrap figures">
      {isExact ? exact : sayAgo(at, now)}
    </time>
  )
}
