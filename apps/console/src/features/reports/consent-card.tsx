import type { ConsentReport } from '@placard/contract/consent-report'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'
import { Meter } from '../../ui/figures/meter.tsx'
import { sayCount, saySharePercent } from '../../ui/format/format.ts'
import { Card } from '../../ui/layout/card.tsx'

type Report = Static<typeof ConsentReport>
type Signal = Report['signals'][number]['signal']

const WORDS: Readonly<Record<Signal, string>> = {
  none: 'Nothing refused',
  tcf: 'TCF string',
  gpp: 'GPP string',
  'us-privacy': 'US privacy string',
  coppa: 'Child (COPPA)',
  flags: 'Refusal by the page',
  gpc: 'Global Privacy Control',
  dnt: 'Do Not Track',
  'limited-tracking': 'Limited ad tracking of the device',
  'opt-out': 'Opt-out',
}

const EVERY_SECONDS = 60

/** How many requests came from readers who refuse to be known, and by which signal. Nothing without requests. */
export function ConsentCard() {
  const report = useRead<Report>('/admin/reports/consent', { everySeconds: EVERY_SECONDS })
  if (!report.data || report.data.requests === 0) return null
  return (
    <Card
      title="Consent, 28 days"
      hint="Ad requests by the first signal that refused something. An ad comes either way."
    >
      <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-2 text-sm">
        {report.data.signals.map(({ signal, requests, share }) => (
          <div key={signal} className="contents">
            <dt>{WORDS[signal]}</dt>
            <dd>
              <Meter label={WORDS[signal]} share={share} />
            </dd>
            <dd className="text-right figures">
              {sayCount(requests)}{' '}
              <span className="text-ink-faint">{saySharePercent(share, 1)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
