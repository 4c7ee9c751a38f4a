import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge, StatusBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { UserName } from './people.tsx'
import { sayReason } from './reasons.ts'
import { type GeoProfile, sayCountry } from './timeline.ts'

type Decision = GeoProfile['decisions'][number]
type Version = GeoProfile['declared_country_versions'][number]
type Actor = Decision['actor']

const sayActor = ({ id }: Actor) => <UserName id={id} />

/** All decisions about a user, with their reasons, newest first. */
export function Decisions({ profile }: { readonly profile: GeoProfile }) {
  const { decisions, declared_country_versions: versions } = profile
  const entries = [
    ...decisions.map((decision) => ({
      key: `${decision.decided_at} ${decision.about} ${decision.block_action_id}`,
      at: decision.decided_at,
      entry: <DecisionEntry decision={decision} by={sayActor(decision.actor)} />,
    })),
    ...versions.map((version) => ({
      key: `version ${version.version}`,
      at: version.recorded_at,
      entry: (
        <>
          <VersionEntry version={version} by={sayActor(version.actor)} />
          <OpenChange userId={profile.user_id} version={version} />
        </>
      ),
    })),
  ].toSorted((one, other) => other.at.localeCompare(one.at))
  return (
    <Card
      title="Decisions"
      hint="Country changes, dismissals, blocks and unblocks, each with its reason"
      isFlush
    >
      {entries.length === 0 && (
        <EmptyState title="No decisions yet" text="Your decisions are listed here." />
      )}
      <ol>
        {entries.map(({ key, at, entry }) => (
          <li
            key={key}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 not-last:border-b"
          >
            {entry}
            <span className="ml-auto text-xs text-ink-faint">
              <When at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const TITLES: Readonly<Record<`${Decision['about']} ${Decision['verdict']}`, string>> = {
  'review dismiss': 'The review was dismissed',
  'review block': 'The review was blocked',
  'session dismiss': 'A session was dismissed',
  'session block': 'A session was blocked',
  'review unblock': 'The review was reopened',
  'session unblock': 'A session was unblocked',
}

function DecisionEntry({ decision, by }: { readonly decision: Decision; readonly by: ReactNode }) {
  const { about, verdict, reason_code, comment } = decision
  return (
    <>
      <span className="font-medium">{TITLES[`${about} ${verdict}`]}</span>
      <Badge tone={verdict === 'block' ? 'bad' : 'neutral'}>{sayReason(reason_code)}</Badge>
      <Said comment={comment} by={by} />
    </>
  )
}

function VersionEntry({ version, by }: { readonly version: Version; readonly by: ReactNode }) {
  const { previous_country, country, state, reason_code, comment, last_error } = version
  return (
    <>
      <span className="font-medium">
        {sayCountry(previous_country)} → {sayCountry(country)}
      </span>
      <StatusBadge status={state} />
      <Badge>{sayReason(reason_code)}</Badge>
      <Said comment={comment} by={by} />
      {last_error && <span className="text-bad">{last_error}</span>}
    </>
  )
}

interface OpenChangeProps {
  readonly userId: string
  readonly version: Version
}

/** A change the User Service has not accepted: retry or abandon it. */
function OpenChange({ userId, version: { version, state } }: OpenChangeProps) {
  const canAct = useMay()('geo:write')
  const path = `/internal/users/${userId}/declared-country/${version}`
  const move = useChange((way: 'retry' | 'abandon') => api.post(`${path}/${way}`), {
    touches: ['/internal', '/admin/users'],
  })
  const isOpen = state === 'sync_failed' || state === 'recorded'
  if (!isOpen || !canAct) return null
  const retry = () =>
    move.mutate('retry', {
      onSuccess: () => notify('The change is applied.'),
      onError: notifyProblem,
    })
  const abandon = () =>
    move.mutate('abandon', {
      onSuccess: () => notify('The change is abandoned. The old country stays.'),
      onError: notifyProblem,
    })
  return (
    <span className="flex gap-2">
      <Button onClick={retry} isBusy={move.isPending}>
        Retry
      </Button>
      <Button onClick={abandon} isBusy={move.isPending}>
        Abandon
      </Button>
    </span>
  )
}

function Said({ comment, by }: { readonly comment: string | null; readonly by: ReactNode }) {
  return (
    <span className="text-ink-faint">
      {comment && <q>{comment}</q>} by {by}
    </span>
  )
}
