import { Check, FilePen, LayoutTemplate, X } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Proposal } from '../../api/types.ts'
import { useSearchParams } from '../../search-params.ts'
import { When } from '../../ui/format/amounts.tsx'
import { StatusBadge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CardList } from '../../ui/layout/card-list.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { AreaField } from '../../ui/forms/fields.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { fieldLabel, fieldValue } from '../../ui/format/words.ts'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { TOUCHED } from './changes.ts'

const PATH = '/admin/proposals'
const STATES = ['pending', 'accepted', 'declined'] as const

/** Changes that buyers propose for fields that ad operations write. */
export function ProposalsPage() {
  const [{ status = 'pending' }, setParams] = useSearchParams()
  return (
    <Page
      title="Proposals"
      about="Ad operations set price and priority. Changes that buyers propose wait here."
    >
      <Tabs
        label="Proposals by status"
        open={status}
        onOpen={(name) => setParams({ status: name })}
        tabs={STATES.map((name) => ({
          name,
          label: sayWord(name),
          content: <Queue status={name} />,
        }))}
      />
    </Page>
  )
}

function Queue({ status }: { readonly status: string }) {
  const list = useList<Proposal>(PATH, { query: { status }, pageSize: 60, everySeconds: 30 })
  return (
    <CardList
      list={list}
      className="flex flex-col gap-3"
      empty={
        <EmptyState
          icon={FilePen}
          title={status === 'pending' ? 'No proposals' : `No ${status} proposals`}
          text="Changes of source, priority or a booked price appear here."
        />
      }
    >
      {(proposal) => <Ticket key={proposal.id} proposal={proposal} />}
    </CardList>
  )
}

function Ticket({ proposal }: { readonly proposal: Proposal }) {
  const { entity, entityId, entityName, accountName, changes, status, reason, proposedBy } =
    proposal
  return (
    <li className="flex flex-col gap-2 rounded-lg border bg-surface p-4 shadow-card">
      <p className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">
          {sayWord(entity)} “{entityName}”
        </span>
        <StatusBadge status={status} />
      </p>
      <p className="text-xs text-ink-faint">
        {accountName} · {proposedBy}, <When at={proposal.createdAt} />
      </p>
      <dl className="grid gap-1 text-sm">
        {Object.entries(changes).map(([field, { from, to }]) => (
          <div key={field} className="flex gap-2">
            <dt className="text-ink-soft">{fieldLabel(field)}</dt>
            <dd>
              {fieldValue(field, from)} → <b>{fieldValue(field, to)}</b>
            </dd>
          </div>
        ))}
      </dl>
      {reason && <p className="text-xs text-bad">{reason}</p>}
      {changes['placementWishes'] && (
        <div>
          <ButtonLink
            to={`/campaigns/${entityId}`}
            search={{ part: 'where' }}
            icon={LayoutTemplate}
          >
            Book placements
          </ButtonLink>
        </div>
      )}
      {status === 'pending' && <Verdict proposal={proposal} />}
    </li>
  )
}

function Verdict({ proposal }: { readonly proposal: Proposal }) {
  const canDecide = useMay()('proposals:write')
  const { id, entityName, version } = proposal
  const decide = useChange(
    ({ action, body }: { action: string; body?: object }) =>
      api.post(`${PATH}/${id}/${action}`, body, version),
    { touches: [PATH, ...TOUCHED] },
  )
  const [isDeclining, setDeclining] = useState(false)
  const [why, setWhy] = useState('')
  if (!canDecide) return null
  const accept = () =>
    decide.mutate(
      { action: 'accept' },
      { onSuccess: () => notify(`“${entityName}” is changed.`), onError: notifyProblem },
    )
  const decline = () =>
    decide.mutate(
      { action: 'decline', body: { reason: why } },
      { onSuccess: () => notify(`“${entityName}” stays as it is.`) },
    )
  return (
    <div className="flex gap-2">
      <Button look="primary" icon={Check} isBusy={decide.isPending} onClick={accept}>
        Accept
      </Button>
      <Button look="danger" icon={X} onClick={() => setDeclining(true)}>
        Decline
      </Button>
      <Confirm
        title="Decline the proposal?"
        text="Nothing changes. The buyer sees the reason."
        action="Decline"
        isDangerous
        isBusy={decide.isPending}
        error={decide.error}
        isOpen={isDeclining}
        onClose={() => setDeclining(false)}
        onConfirm={decline}
      >
        <AreaField label="Reason" required value={why} onValue={setWhy} />
      </Confirm>
    </div>
  )
}
