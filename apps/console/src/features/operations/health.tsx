import { CircleCheck, CircleX } from 'lucide-react'
import { useRead } from '../../api/hooks.ts'
import { Card } from '../../ui/layout/card.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { Stat, Stats } from '../../ui/figures/stat.tsx'
import { Answer } from '../../ui/layout/states.tsx'

interface HealthAnswer {
  readonly status: string
  readonly uptime?: number
  readonly checks?: Readonly<Record<string, boolean>>
  readonly geoIp?: { readonly ageDays: number; readonly isBundled: boolean }
}

const MEANINGS: Readonly<Record<string, string>> = {
  database:
    'PostgreSQL responds. Without it, ads are still served from memory and events are stored on disk.',
  spool: 'The disk can store events while the database is unavailable.',
  redis: 'Frequency caps are shared with the other servers.',
  geoIp: 'The IP-to-country file is recent enough.',
}

const HOUR_SECONDS = 3_600

/** Health checks of this server. */
export function Health() {
  const health = useRead<HealthAnswer>('/health', { everySeconds: 5 })
  return (
    <Answer of={health}>
      {({ status, checks = {}, geoIp, uptime }) => (
        <>
          <Stats>
            <Stat label="This server" value={sayWord(status)} />
            <Stat
              label="Checks passed"
              value={`${Object.values(checks).filter(Boolean).length} of ${Object.keys(checks).length}`}
            />
            {uptime !== undefined && (
              <Stat label="Uptime" value={`${Math.floor(uptime / HOUR_SECONDS)} h`} />
            )}
            {geoIp && (
              <Stat
                label="IP-to-country file"
                value={`${Math.round(geoIp.ageDays)} days old`}
                note={geoIp.isBundled ? 'bundled' : 'custom'}
              />
            )}
          </Stats>
          <Card title="Checks" isFlush>
            <ul>
              {Object.entries(checks).map(([name, isFine]) => (
                <li key={name} className="flex items-start gap-3 px-4 py-3 not-last:border-b">
                  {isFine ? (
                    <CircleCheck className="mt-0.5 size-4 text-good" aria-label="OK" />
                  ) : (
                    <CircleX className="mt-0.5 size-4 text-bad" aria-label="Failing" />
                  )}
                  <div>
                    <p className="font-medium">{sayWord(name)}</p>
                    <p className="text-ink-faint">{MEANINGS[name]}</p>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        </>
      )}
    </Answer>
  )
}
