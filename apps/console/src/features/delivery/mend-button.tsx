import type { CampaignDelivery } from '@placard/contract/delivery'
import { api } from '../../api/client.ts'
import { queries, useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Approval, PageOf } from '../../api/types.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'

export type Action = NonNullable<CampaignDelivery['action']>
type Kind = Action['kind']

interface Way {
  readonly label: string
  /** Who cannot do it gets no button. */
  readonly needs: string
  to(action: Action): string
  readonly search?: Readonly<Record<string, string>>
}

const campaign = ({ campaignId }: Action) => `/campaigns/${campaignId}`
const placement = ({ placementId }: Action) => `/placements/${placementId}`
const at = (part: string) => ({ search: { part }, to: campaign })
const buying = 'campaigns:write'

/** Where each thing is mended. Starting and approving need no other page. */
const WAYS: Readonly<Record<Exclude<Kind, 'start-campaign' | 'approve'>, Way>> = {
  'edit-dates': { label: 'Change dates', needs: buying, ...at('limits') },
  'raise-goal': { label: 'Change goals', needs: buying, ...at('limits') },
  'raise-budget': { label: 'Change budget', needs: buying, ...at('limits') },
  'raise-advertiser-budget': {
    label: 'Change the advertiser’s budget',
    needs: 'advertisers:write',
    to: () => '/advertisers',
  },
  'edit-targeting': { label: 'Change targeting', needs: buying, ...at('audience') },
  'edit-caps': { label: 'Change caps', needs: buying, ...at('limits') },
  'raise-bid': { label: 'Change bids', needs: buying, ...at('ads') },
  'add-ad': { label: 'Add ad', needs: buying, ...at('ads') },
  'start-ad': { label: 'Start ads', needs: buying, ...at('ads') },
  'book-placement': { label: 'Choose placements', needs: 'assignments:write', ...at('where') },
  'open-banner': {
    label: 'Open banner',
    needs: 'banners:write',
    to: ({ bannerId }) => `/creatives/${bannerId}`,
  },
  'open-placement': { label: 'Open placement', needs: 'placements:write', to: placement },
  'check-tag': { label: 'Check the tag', needs: 'placements:read', to: placement },
  'open-site': { label: 'Open site', needs: 'sites:write', to: ({ siteId }) => `/sites/${siteId}` },
  'turn-on-serving': {
    label: 'Open switches',
    needs: 'operations:write',
    to: () => '/operations',
    search: { tab: 'switches' },
  },
}

/** The button that mends it, or that leads there. */
export function MendButton({ action }: { readonly action: Action | null }) {
  const may = useMay()
  if (action === null) return null
  if (action.kind === 'start-campaign') {
    return may(buying) && action.campaignId ? <StartButton id={action.campaignId} /> : null
  }
  if (action.kind === 'approve') {
    return may('approvals:write') ? <ApproveButton action={action} /> : null
  }
  const { needs, label, to, search } = WAYS[action.kind]
  if (!may(needs)) return null
  return (
    <ButtonLink to={to(action)} search={search ?? {}}>
      {label}
    </ButtonLink>
  )
}

/** The server knows within a second. */
const LOOK_AGAIN_MS = 1_500

/** What was mended is shown without waiting for the next look. */
const lookAgain = () =>
  void setTimeout(() => {
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/delivery'),
    })
  }, LOOK_AGAIN_MS)

const TOUCHED = ['/admin/campaigns', '/admin/creative-approvals', '/admin/audit-log']

function StartButton({ id }: { readonly id: string }) {
  const start = useChange(() => api.post(`/admin/campaigns/${id}/activate`), { touches: TOUCHED })
  return (
    <Button
      look="primary"
      isBusy={start.isPending}
      onClick={() =>
        start.mutate(undefined, {
          onSuccess: () => {
            notify('The campaign is started.')
            lookAgain()
          },
          onError: notifyProblem,
        })
      }
    >
      Start campaign
    </Button>
  )
}

/** Approves the banner on the site that it waits for. */
async function approve({ bannerId, siteId }: Action): Promise<string> {
  const query = { bannerId: bannerId ?? '', limit: 200 }
  const { items } = await api.get<PageOf<Approval>>('/admin/creative-approvals', query)
  const waiting = items.find((one) => one.siteId === siteId && one.status !== 'approved')
  if (!waiting) return 'The banner is approved already.'
  await api.post(`/admin/creative-approvals/${waiting.id}/approve`)
  return `“${waiting.bannerTitle}” is approved on ${waiting.siteDomain}.`
}

function ApproveButton({ action }: { readonly action: Action }) {
  const sending = useChange(approve, { touches: TOUCHED })
  return (
    <Button
      look="primary"
      isBusy={sending.isPending}
      onClick={() =>
        sending.mutate(action, {
          onSuccess: (text) => {
            notify(text)
            lookAgain()
          },
          onError: notifyProblem,
        })
      }
    >
      Approve banner
    </Button>
  )
}
