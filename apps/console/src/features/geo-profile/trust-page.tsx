import type { ReviewCandidates } from '@placard/contract/geo-profile'
import { ShieldCheck } from 'lucide-react'
import { useCallback } from 'react'
import type { Static } from 'typebox'
import { useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { useSearchParams } from '../../search-params.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { saySharePercent, sayWord } from '../../ui/format/format.ts'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { type SwitchState, type User, UserName } from './people.tsx'
import { sayCountry } from './timeline.ts'
import { SuspiciousSessions } from './suspicious-sessions.tsx'

type Candidate = Static<typeof ReviewCandidates>['items'][number]

/** Users to review, and suspicious sessions. */
export function TrustPage() {
  const [params, setParams] = useSearchParams()
  return (
    <Page
      title="Trust"
      about="Users’ declared countries and where they connect from. Nothing is blocked automatically unless blocking is on."
    >
      <Guard />
      <Tabs
        label="Trust"
        open={params['tab'] ?? 'review'}
        onOpen={(tab) => setParams({ tab })}
        tabs={[
          { name: 'review', label: 'To review', content: <Candidates /> },
          { name: 'sessions', label: 'Sessions', content: <SuspiciousSessions /> },
          { name: 'people', label: 'All users', content: <People /> },
        ]}
      />
    </Page>
  )
}

/** Whether detection and blocking are switched on. */
function Guard() {
  const switches = useRead<{ readonly items: readonly SwitchState[] }>('/admin/switches', {
    when: useMay()('switches:read'),
  })
  const items = switches.data?.items.filter(({ name }) => name.startsWith('geo-profile')) ?? []
  if (items.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2">
      {items.map(({ name, about, isOn }) => (
        <li key={name} title={about}>
          <Badge tone={isOn ? 'good' : 'neutral'}>
            {sayWord(name.replace('geo-profile.', ''))} {isOn ? 'on' : 'off'}
          </Badge>
        </li>
      ))}
    </ul>
  )
}

function Candidates() {
  const candidates = useRead<Static<typeof ReviewCandidates>>('/internal/review-candidates', {
    query: { limit: 200 },
    everySeconds: 30,
  })
  return (
    <Card isFlush className="overflow-hidden md:overflow-visible">
      <DataTable
        label="Users to review"
        columns={CANDIDATE_COLUMNS}
        rows={candidates.data?.items ?? []}
        isLoading={candidates.isPending}
        error={candidates.error}
        retry={() => void candidates.refetch()}
        keyOf={({ user_id }) => user_id}
        linkOf={({ user_id }) => `/trust/${user_id}`}
        empty={
          <EmptyState
            icon={ShieldCheck}
            title="No users to review"
            text="Users who keep connecting from a country other than the one they declared appear here."
          />
        }
      />
    </Card>
  )
}

const CANDIDATE_COLUMNS: readonly Column<Candidate>[] = [
  {
    name: 'person',
    label: 'User',
    cell: ({ user_id }) => <UserName id={user_id} />,
  },
  {
    name: 'declared',
    label: 'Declared',
    width: '9rem',
    from: 'sm',
    cell: ({ declared_country }) => sayCountry(declared_country),
  },
  {
    name: 'seen',
    label: 'Connects from',
    width: '11rem',
    cell: ({ evidence }) =>
      evidence && (
        <>
          {sayCountry(evidence.candidate_country)}{' '}
          <span className="text-ink-faint figures">
            {saySharePercent(evidence.candidate_share, 0)}
          </span>
        </>
      ),
  },
  {
    name: 'days',
    label: 'Days',
    width: '5rem',
    isNumber: true,
    from: 'md',
    cell: ({ evidence }) => evidence?.evidence_days ?? '—',
  },
  {
    name: 'since',
    label: 'Since',
    width: '8rem',
    from: 'sm',
    cell: ({ since }) => <When at={since} />,
  },
]

function People() {
  const [{ search }, setParams] = useSearchParams()
  const list = useList<User>('/admin/users', { query: { search } })
  return (
    <Card isFlush className="overflow-hidden md:overflow-visible">
      <div className="p-3">
        <SearchBox
          label="Name, e-mail or id"
          value={search ?? ''}
          onValue={useCallback((text) => setParams({ search: text }), [setParams])}
        />
      </div>
      <DataTable
        label="Users"
        columns={PEOPLE_COLUMNS}
        {...list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/trust/${id}`}
        empty={<EmptyState title={search ? 'Nobody found' : 'No users yet'} />}
      />
    </Card>
  )
}

const PEOPLE_COLUMNS: Column<User>[] = [
  {
    name: 'name',
    label: 'User',
    sortBy: ({ displayName }) => displayName,
    cell: ({ displayName }) => displayName,
  },
  { name: 'email', label: 'E-mail', from: 'md', cell: ({ email }) => email },
  { name: 'account', label: 'Account', from: 'sm', cell: ({ accountName }) => accountName },
  {
    name: 'role',
    label: 'Role',
    width: '7rem',
    sortBy: ({ role }) => role,
    cell: ({ role }) => <Badge>{role}</Badge>,
  },
  {
    name: 'country',
    label: 'Declared',
    width: '9rem',
    cell: ({ declaredCountry }) => sayCountry(declaredCountry),
  },
]
