import { useMay, useMe, useZone } from '../../api/me.ts'
import { Badge } from '../../ui/badge.tsx'
import { useNow } from '../../ui/format/now.ts'
import { Page } from '../../ui/layout/page.tsx'
import { FirstSteps } from './first-steps.tsx'
import { ToDo } from './to-do.tsx'
import { Pace } from './pace.tsx'
import { Today } from './today.tsx'

/** Figures of today, to-dos and pacing. Each part is for users who may see it. */
export function HomePage() {
  const may = useMay()
  const { name } = useMe()
  const zone = useZone()
  const now = useNow(30)
  const day = new Date(now).toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: zone })
  return (
    <Page
      title={`Hello, ${name.split(' ')[0]}`}
      mark={
        <Badge tone="good">
          <span className="size-1.5 animate-pulse rounded-full bg-current" aria-hidden />
          Live
        </Badge>
      }
      about={`${day} · times in ${zone}`}
    >
      {may('operations:read') && <FirstSteps />}
      {may('reports:read') ? (
        <Today zone={zone} aside={<ToDo />} />
      ) : (
        <div className="grid gap-4 lg:grid-cols-2">
          <ToDo />
        </div>
      )}
      {may('campaigns:read') && <Pace />}
    </Page>
  )
}
