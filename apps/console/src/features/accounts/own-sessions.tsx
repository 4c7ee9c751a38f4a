import type { DeviceSession } from '@placard/contract/accounts'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { session as current } from '../../api/session.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayDevice } from '../../ui/format/device-name.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { sessionState } from './session-state.ts'

type Session = Static<typeof DeviceSession>

const SESSIONS = '/me/sessions'

const ENDED = {
  onSuccess: () => notify('You are signed out everywhere else.'),
  onError: notifyProblem,
}

export function OwnSessions() {
  const list = useList<Session>(SESSIONS)
  const end = useChange((id: string) => api.delete(`${SESSIONS}/${id}`), { touches: [SESSIONS] })
  const endOthers = useChange(() => api.delete(SESSIONS), { touches: [SESSIONS] })
  const leave = ({ id, deviceName }: Session) =>
    end.mutate(id, {
      onSuccess: () => notify(`${sayDevice(deviceName)} is signed out.`),
      onError: notifyProblem,
    })
  return (
    <Card
      title="Where you are signed in"
      isFlush
      className="overflow-hidden md:overflow-visible"
      actions={
        <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate(undefined, ENDED)}>
          Sign out everywhere else
        </Button>
      }
    >
      <DataTable
        label="Your sessions"
        columns={columnsWith(leave)}
        {...list}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No open sessions" />}
      />
    </Card>
  )
}

const stateOf = (session: Session) =>
  sessionState(session, { nowMs: Date.now(), currentId: current.sessionId() })

const columnsWith = (leave: (session: Session) => void): Column<Session>[] => [
  { name: 'device', label: 'Device', cell: ({ deviceName }) => sayDevice(deviceName) },
  {
    name: 'state',
    label: 'Status',
    width: '7rem',
    cell: (session) => <Badge tone={stateOf(session).tone}>{stateOf(session).text}</Badge>,
  },
  {
    name: 'seen',
    label: 'Last seen',
    width: '9rem',
    from: 'sm',
    cell: ({ lastSeenAt }) => <When at={lastSeenAt} />,
  },
  {
    name: 'since',
    label: 'Signed in',
    width: '12rem',
    from: 'md',
    cell: ({ createdAt }) => <When at={createdAt} isExact />,
  },
  {
    name: 'end',
    label: '',
    width: '7rem',
    cell: (session) =>
      stateOf(session).actions.includes('revoke') && (
        <Button look="ghost" onClick={() => leave(session)}>
          Sign out
        </Button>
      ),
  },
]
