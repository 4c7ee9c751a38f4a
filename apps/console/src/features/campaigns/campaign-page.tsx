import { useNavigate } from '@tanstack/react-router'
import { CircleHelp, Ellipsis, Pause, Pencil, Play } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Campaign } from '../../api/types.ts'
import { usePathParam, useSearchParams } from '../../search-params.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { Menu } from '../../ui/overlays/menu.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Answer } from '../../ui/layout/states.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { notify } from '../../ui/overlays/toast.tsx'
import { OwnWhyPart } from '../decisions/own-why.tsx'
import { CampaignDeliveryCard } from '../delivery/campaign-delivery.tsx'
import { Ads } from './ads.tsx'
import { Audience } from './audience.tsx'
import { Bidding } from './bidding.tsx'
import {
  actionsOf,
  DELETE_TEXT,
  FINAL_TEXT,
  isFinal,
  STATUS_CHANGES,
  type StatusChange,
} from './actions.ts'
import { useDeleteCampaign, useStatusChange } from './changes.ts'
import { CopyDialog } from './edit/copy-campaign.tsx'
import { EditCampaign } from './edit/edit-campaign.tsx'
import { History } from './history.tsx'
import { Limits } from './limits.tsx'
import { Overview } from './overview.tsx'
import { Where } from './where.tsx'

export function CampaignPage() {
  const id = usePathParam('campaignId')
  const campaign = useRead<Campaign>(`/admin/campaigns/${id}`, { everySeconds: 15 })
  return <Answer of={campaign}>{(data) => <Detail campaign={data} />}</Answer>
}

function Detail({ campaign }: { readonly campaign: Campaign }) {
  const may = useMay()
  const [{ part = 'overview' }, setParams] = useSearchParams()
  const tabs = [
    { name: 'overview', label: 'Overview', content: <Overview campaign={campaign} /> },
    { name: 'ads', label: 'Ads', content: <Ads campaign={campaign} /> },
    { name: 'audience', label: 'Audience', content: <Audience campaign={campaign} /> },
    { name: 'where', label: 'Placements', content: <Where campaign={campaign} /> },
    { name: 'limits', label: 'Budget and limits', content: <Limits campaign={campaign} /> },
    ...(campaign.channel === 'onsite'
      ? [{ name: 'bidding', label: 'Bidding', content: <Bidding campaign={campaign} /> }]
      : []),
    ...(may('decisions:read') || campaign.channel !== 'onsite'
      ? []
      : [{ name: 'why', label: 'Why?', content: <OwnWhyPart campaign={campaign} /> }]),
    ...(may('audit:read')
      ? [{ name: 'history', label: 'History', content: <History campaignId={campaign.id} /> }]
      : []),
  ]
  return (
    <Page
      title={campaign.name}
      parent={{ title: 'Campaigns', to: '/campaigns' }}
      mark={<StatusBadge status={campaign.status} />}
      about={`${campaign.advertiserName} · ${sayWord(campaign.objective)} · ${campaign.pricing === 'cpm' ? 'pays per 1,000 impressions' : 'pays per click'}`}
      actions={may('campaigns:write') && <Actions campaign={campaign} />}
    >
      <CampaignDeliveryCard campaign={campaign} />
      <Tabs
        label="Campaign sections"
        tabs={tabs}
        open={part}
        onOpen={(name) => setParams({ part: name })}
      />
    </Page>
  )
}

function Actions({ campaign }: { readonly campaign: Campaign }) {
  const may = useMay()
  const { change, isBusy } = useStatusChange()
  const [isEditing, setEditing] = useState(false)
  const [isCopying, setCopying] = useState(false)
  const [confirming, setConfirming] = useState<StatusChange | 'delete'>()
  const { main, menu, canDelete } = actionsOf(campaign)
  const items = [
    { label: 'Copy', onSelect: () => setCopying(true) },
    ...menu.map((how) => ({
      label: STATUS_CHANGES[how].label,
      isDangerous: isFinal(how),
      onSelect: () => (isFinal(how) ? setConfirming(how) : change([campaign], how)),
    })),
    ...(canDelete
      ? [{ label: 'Delete', isDangerous: true, onSelect: () => setConfirming('delete') }]
      : []),
  ]
  return (
    <>
      {may('decisions:read') && (
        <ButtonLink to="/why" search={{ campaignId: campaign.id }} look="ghost" icon={CircleHelp}>
          Why?
        </ButtonLink>
      )}
      <Button icon={Pencil} onClick={() => setEditing(true)}>
        Edit
      </Button>
      {main && (
        <Button
          look={main === 'activate' ? 'primary' : 'secondary'}
          icon={main === 'activate' ? Play : Pause}
          isBusy={isBusy}
          onClick={() => change([campaign], main)}
        >
          {STATUS_CHANGES[main].label}
        </Button>
      )}
      <Menu items={items}>
        <IconButton label="More actions" icon={Ellipsis} look="secondary" />
      </Menu>
      {isEditing && <EditCampaign campaign={campaign} onClose={() => setEditing(false)} />}
      {isCopying && <CopyDialog campaign={campaign} onClose={() => setCopying(false)} />}
      <ConfirmFinal
        campaign={campaign}
        confirming={confirming}
        onClose={() => setConfirming(undefined)}
      />
    </>
  )
}

interface ConfirmFinalProps {
  readonly campaign: Campaign
  readonly confirming: StatusChange | 'delete' | undefined
  readonly onClose: () => void
}

/** Asks before an action that cannot be undone. */
function ConfirmFinal({ campaign, confirming, onClose }: ConfirmFinalProps) {
  const { change } = useStatusChange()
  const remove = useDeleteCampaign()
  const navigate = useNavigate()
  const confirm = () => {
    if (confirming !== 'delete') {
      if (confirming) change([campaign], confirming)
      return onClose()
    }
    remove.mutate(campaign.id, {
      onSuccess: () => {
        notify(`“${campaign.name}” is deleted.`)
        void navigate({ to: '/campaigns' })
      },
    })
  }
  const word =
    confirming === 'delete' ? 'Delete' : confirming ? STATUS_CHANGES[confirming].label : ''
  return (
    <Confirm
      title={`${word} “${campaign.name}”?`}
      text={confirming === 'delete' ? DELETE_TEXT : FINAL_TEXT}
      action={`${word} campaign`}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      isOpen={confirming !== undefined}
      onClose={onClose}
      onConfirm={confirm}
    />
  )
}
