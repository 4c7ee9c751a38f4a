import type { DeviceSession } from '@placard/contract/accounts'
import { Ban, LockOpen, LogOut } from 'lucide-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useList } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayDevice } from '../../ui/format/device-name.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { type SessionAction, sessionState } from '../accounts/session-state.ts'
import { Decide } from './decide.tsx'
import { BLOCK_REASONS, sayReason, UNBLOCK_REASONS } from './reasons.ts'
import { type GeoProfile, sayCountry } from './timeline.ts'

type Session = Static<typeof DeviceSession>

interface DeviceSessionsProps {
  readonly userId: string
  readonly profile: GeoProfile
  /** A block or an unblock is pending: reload every second. */
  readonly isActing: boolean
}

/** All sign-ins of a user, with their devices, times, countries and actions. */
export function DeviceSessions({ userId, profile, isActing }: DeviceSessionsProps) {
  const list = useList<Session>('/admin/sessions', {
    query: { userId },
    everySeconds: isActing ? 1 : 30,
  })
  const canAct = useMay()('sessions:write')
  const [confirming, setConfirming] = useState<Confirming>()
  return (
    <Card title="Device sessions" isFlush className="overflow-hidden md:overflow-visible">
      <DataTable
        label="Device sessions"
        columns={columnsWith(profile, canAct ? setConfirming : undefined)}
        {...list}
        keyOf={({ id }) => id}
        empty={<EmptyState title="Never signed in" />}
      />
      {confirming && <End {...confirming} onClose={() => setConfirming(undefined)} />}
    </Card>
  )
}

interface Confirming {
  readonly session: Session
  readonly how: SessionAction
}

function End({ session, how, onClose }: Confirming & { readonly onClose: () => void }) {
  const device = sayDevice(session.deviceName)
  const { title, ...words } = WAYS[how]
  return (
    <Decide
      {...words}
      title={`${title} ${device}?`}
      isDangerous={how === 'block'}
      isCommented={false}
      reasons={how === 'unblock' ? UNBLOCK_REASONS : BLOCK_REASONS}
      decide={({ reason_code: reasonCode }) =>
        api.post(`/admin/sessions/${session.id}/${how}`, { reasonCode })
      }
      onClose={onClose}
    />
  )
}

const WAYS = {
  block: {
    title: 'Block',
    about: 'The user is signed out on that device and notified. Other devices stay signed in.',
    action: 'Block session',
    done: 'The session is blocked.',
  },
  unblock: {
    title: 'Unblock',
    about: 'The device works again where it was, unless it was signed out or has expired.',
    action: 'Unblock session',
    done: 'The session is unblocked.',
  },
  revoke: {
    title: 'Sign out',
    about: 'The user has to sign in again on that device.',
    action: 'Sign out',
    done: 'The session is signed out.',
  },
}

const ICONS = { revoke: LogOut, block: Ban, unblock: LockOpen } as const

const stateOf = (session: Session) => sessionState(session, { nowMs: Date.now() })

function statusOf(session: Session) {
  const { text, tone } = stateOf(session)
  const why = session.reasonCode ? `: ${sayReason(session.reasonCode)}` : ''
  return (
    <Badge tone={tone}>
      {text}
      <span className="max-sm:sr-only">{why}</span>
    </Badge>
  )
}

const countriesOf = ({ sessions }: GeoProfile, { id }: Session) => {
  const seen = sessions.find(({ device_session_id }) => device_session_id === id)
  return seen?.observations_30_days.map((one) => sayCountry(one.observed_country)).join(', ')
}

const columnsWith = (
  profile: GeoProfile,
  ask: ((confirming: Confirming) => void) | undefined,
): Column<Session>[] => [
  { name: 'device', label: 'Device', cell: ({ deviceName }) => sayDevice(deviceName) },
  {
    name: 'countries',
    label: 'Countries, 30 days',
    from: 'sm',
    cell: (session) => countriesOf(profile, session) || '—',
  },
  { name: 'status', label: 'Status', width: 'clamp(6.5rem, 20vw, 16rem)', cell: statusOf },
  {
    name: 'seen',
    label: 'Last seen',
    width: '8rem',
    from: 'sm',
    cell: ({ lastSeenAt }) => <When at={lastSeenAt} />,
  },
  {
    name: 'since',
    label: 'Signed in',
    width: '11rem',
    from: 'md',
    cell: ({ createdAt }) => <When at={createdAt} isExact />,
  },
  {
    name: 'act',
    label: '',
    width: 'clamp(6.5rem, 28vw, 14.5rem)',
    cell: (session) =>
      ask && (
        <span className="flex gap-2">
          {stateOf(session).actions.map((how) => (
            <Button
              key={how}
              icon={ICONS[how]}
              {...(how === 'block' && { look: 'danger' as const })}
              onClick={() => ask({ session, how })}
            >
              <span className="max-sm:sr-only">{WAYS[how].title}</span>
            </Button>
          ))}
        </span>
      ),
  },
]
