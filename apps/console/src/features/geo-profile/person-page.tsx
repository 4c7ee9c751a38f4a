import { Globe } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { usePathParam } from '../../search-params.ts'
import { Card } from '../../ui/layout/card.tsx'
import { sayCount } from '../../ui/format/format.ts'
import { useNow } from '../../ui/format/now.ts'
import { seriesColour } from '../../ui/figures/colours.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { isPending } from './block-states.ts'
import { BlockActions } from './block-actions.tsx'
import { DeviceSessions } from './device-sessions.tsx'
import { NextInQueue } from './next-in-queue.tsx'
import { Decisions } from './decisions.tsx'
import type { User } from './people.tsx'
import { Review } from './review.tsx'
import {
  coloursOf,
  DAYS_SHOWN,
  type GeoProfile,
  type SessionRow,
  rowsOf,
  sayCountry,
} from './timeline.ts'

/** While a block is pending, the page reloads to show its outcome. */
const ACTING_SECONDS = 1

/** One user: declared country, connections, decisions. */
export function PersonPage() {
  const userId = usePathParam('userId')
  const user = useRead<User>(`/admin/users/${userId}`)
  const [isActing, setActing] = useState(false)
  const profile = useRead<GeoProfile>(`/internal/users/${userId}/geo-profile`, {
    everySeconds: isActing ? ACTING_SECONDS : 30,
  })
  const acts = profile.data?.block_actions.some(isPending) ?? false
  useEffect(() => setActing(acts), [acts])
  return (
    <Page
      title={user.data?.displayName ?? 'User'}
      about={user.data && `${user.data.email} · ${user.data.accountName}`}
      parent={{ title: 'Trust', to: '/trust' }}
    >
      <Answer of={profile} lines={8}>
        {(found) => (
          <>
            <NextInQueue userId={userId} />
            <Review userId={userId} profile={found} />
            <Timeline profile={found} />
            <BlockActions actions={found.block_actions} />
            <DeviceSessions userId={userId} profile={found} isActing={isActing} />
            <Decisions profile={found} />
          </>
        )}
      </Answer>
    </Page>
  )
}

/** The countries of each device session in the last month. */
function Timeline({ profile }: { readonly profile: GeoProfile }) {
  const rows = rowsOf(profile.sessions, useNow(60))
  const colours = coloursOf(rows)
  return (
    <Card
      title="Countries by device"
      hint={`Last ${DAYS_SHOWN} days (UTC), one line per device session`}
    >
      {rows.length === 0 ? (
        <EmptyState
          icon={Globe}
          title="No connections recorded yet"
          text="The gateway reports the country of every signed-in request."
        />
      ) : (
        <>
          <ul className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft">
            {[...colours].map(([country, place]) => (
              <li key={country} className="inline-flex items-center gap-1.5">
                <span
                  className="size-2 rounded-full"
                  style={{ background: seriesColour(place) }}
                  aria-hidden
                />
                {sayCountry(country)}
              </li>
            ))}
          </ul>
          <ul className="flex flex-col gap-3">
            {rows.map((row) => (
              <TimelineRow key={row.sessionId} row={row} colours={colours} />
            ))}
          </ul>
          <p className="mt-2 flex justify-between text-xs text-ink-faint">
            <span>{DAYS_SHOWN} days ago</span>
            <span>today</span>
          </p>
        </>
      )}
    </Card>
  )
}

function countsOf({ stretches }: SessionRow): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { country, observations } of stretches) {
    counts.set(country, (counts.get(country) ?? 0) + observations)
  }
  return counts
}

interface TimelineRowProps {
  readonly row: SessionRow
  readonly colours: ReadonlyMap<string, number>
}

function TimelineRow({ row, colours }: TimelineRowProps) {
  const words = [...countsOf(row)]
    .map(([country, count]) => `${sayCountry(country)} ${sayCount(count)} times`)
    .join(', ')
  return (
    <li>
      <p className="mb-1 flex flex-wrap gap-x-2 text-xs">
        <span className="font-mono text-ink-faint">{row.sessionId.slice(-12)}</span>
        <span>usually {row.usual ? sayCountry(row.usual) : 'not yet known'}</span>
      </p>
      <div
        role="img"
        aria-label={`Seen from ${words || 'nowhere'}`}
        className="relative h-5 overflow-hidden rounded-sm bg-sunken"
      >
        {row.stretches.map(({ day, country, from, width, observations }) => (
          <span
            key={`${day} ${country}`}
            title={`${day}: ${sayCountry(country)}, seen ${sayCount(observations)} times`}
            className="absolute inset-y-0 opacity-90"
            style={{
              left: `${from * 100}%`,
              width: `${width * 100}%`,
              background: seriesColour(colours.get(country) ?? 0),
            }}
          />
        ))}
      </div>
    </li>
  )
}
