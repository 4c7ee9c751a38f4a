import { BadgeCheck, Check, X } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { useLiveUpdates } from '../../api/live-updates.ts'
import type { Approval } from '../../api/types.ts'
import { useSearchParams } from '../../search-params.ts'
import { When } from '../../ui/format/amounts.tsx'
import { StatusBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CardList } from '../../ui/layout/card-list.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { AreaField } from '../../ui/forms/fields.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { BannerPreview } from './banner-preview.tsx'

const PATH = '/admin/creative-approvals'
const STATES = ['pending', 'approved', 'rejected'] as const

/** Banners that wait for a site's approval, and earlier decisions. */
export function ApprovalsPage() {
  const [{ status = 'pending' }, setParams] = useSearchParams()
  useLiveUpdates(['pending-updated', 'approved', 'rejected', 'flagged'], [PATH])
  return (
    <Page
      title="Approvals"
      about="A site serves a banner once it has approved it. Changed banners need a new approval."
    >
      <Tabs
        label="Approvals by status"
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
  const list = useList<Approval>(PATH, { query: { status }, pageSize: 60, everySeconds: 30 })
  return (
    <CardList
      list={list}
      className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3"
      empty={
        <EmptyState
          icon={BadgeCheck}
          title={status === 'pending' ? 'Nothing to approve' : `No ${status} banners`}
          text="Banners appear here once they are booked on one of your sites."
        />
      }
    >
      {(approval) => <Ticket key={approval.id} approval={approval} />}
    </CardList>
  )
}

const PREVIEW = { width: 480, height: 240 }

function Ticket({ approval }: { readonly approval: Approval }) {
  const canDecide = useMay()('approvals:write')
  const { id, siteDomain, bannerTitle, bannerCtaUrl, status, reason, version } = approval
  const decide = useChange(
    ({ action, body }: { action: string; body?: object }) =>
      api.post(`${PATH}/${id}/${action}`, body, version),
    { touches: [PATH] },
  )
  const [isRejecting, setRejecting] = useState(false)
  const [why, setWhy] = useState('')
  const revoke = () => decide.mutate({ action: 'revoke' }, { onError: notifyProblem })
  const say = (done: string) => notify(`“${bannerTitle}” is ${done} on ${siteDomain}.`, revoke)
  return (
    <li className="flex flex-col overflow-hidden rounded-lg border bg-surface shadow-card">
      <div className="bg-sunken p-3">
        <BannerPreview
          layout="half_pair"
          size={PREVIEW}
          banner={{
            title: bannerTitle ?? '',
            format: (approval.bannerFormat ?? 'single_image') as 'single_image',
            primaryImageUrl: approval.bannerImageUrl ?? '',
            primaryImageAlt: null,
            videoUrl: approval.bannerVideoUrl,
            html: approval.bannerHtml,
            headline: approval.bannerHeadline,
            subheadline: null,
            ctaLabel: null,
            bgColor: null,
          }}
        />
      </div>
      <div className="flex flex-1 flex-col gap-1 border-t p-3">
        <p className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{bannerTitle}</span>
          <StatusBadge status={status} />
        </p>
        <p className="truncate text-xs text-ink-faint">
          on {siteDomain} · asked <When at={approval.createdAt} />
        </p>
        {bannerCtaUrl && <p className="truncate text-xs text-ink-faint">leads to {bannerCtaUrl}</p>}
        {reason && <p className="text-xs text-bad">{reason}</p>}
        {canDecide && (
          <div className="mt-auto flex gap-2 pt-2">
            {status === 'pending' ? (
              <>
                <Button
                  look="primary"
                  icon={Check}
                  isBusy={decide.isPending}
                  onClick={() =>
                    decide.mutate(
                      { action: 'approve' },
                      { onSuccess: () => say('approved'), onError: notifyProblem },
                    )
                  }
                >
                  Approve
                </Button>
                <Button look="danger" icon={X} onClick={() => setRejecting(true)}>
                  Reject
                </Button>
              </>
            ) : (
              <Button onClick={revoke}>Undo decision</Button>
            )}
          </div>
        )}
      </div>
      <Confirm
        title={`Reject “${bannerTitle}”?`}
        text="The advertiser sees the reason and can submit a changed banner."
        action="Reject banner"
        isDangerous
        isBusy={decide.isPending}
        error={decide.error}
        isOpen={isRejecting}
        onClose={() => setRejecting(false)}
        onConfirm={() =>
          decide.mutate(
            { action: 'reject', body: { reason: why } },
            {
              onSuccess: () => {
                setRejecting(false)
                say('rejected')
              },
            },
          )
        }
      >
        <AreaField label="Reason" required value={why} onValue={setWhy} />
      </Confirm>
    </li>
  )
}
