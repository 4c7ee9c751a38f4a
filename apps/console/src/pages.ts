import {
  BadgeCheck,
  House,
  Images,
  LayoutTemplate,
  type LucideIcon,
  Megaphone,
  MessageCircleQuestion,
} from 'lucide-react'
import type { ComponentType } from 'react'

export interface PageEntry {
  /** `$name` is a part that changes: `/campaigns/$campaignId`. */
  readonly path: string
  /** Who may see it: one of these permissions is enough; none means everybody. */
  readonly needs?: readonly string[]
  readonly load: () => Promise<ComponentType>
  /** Where the page stands in the navigation; without it, other pages lead there. */
  readonly nav?: {
    readonly group: 'Overview' | 'Buying' | 'Selling' | 'Insight' | 'Running'
    readonly label: string
    readonly icon: LucideIcon
  }
}

export const GROUPS = ['Overview', 'Buying', 'Selling', 'Insight', 'Running'] as const

/** Every page of the console. The order is that of the navigation. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    nav: { group: 'Overview', label: 'Home', icon: House },
    load: async () => (await import('./features/home/home-page.tsx')).HomePage,
  },
  {
    path: '/campaigns',
    needs: ['campaigns:read'],
    nav: { group: 'Buying', label: 'Campaigns', icon: Megaphone },
    load: async () => (await import('./features/campaigns/campaigns-page.tsx')).CampaignsPage,
  },
  {
    path: '/campaigns/new',
    needs: ['campaigns:write'],
    load: async () =>
      (await import('./features/campaigns/new/new-campaign-page.tsx')).NewCampaignPage,
  },
  {
    path: '/campaigns/$campaignId',
    needs: ['campaigns:read'],
    load: async () => (await import('./features/campaigns/campaign-page.tsx')).CampaignPage,
  },
  {
    path: '/creatives',
    needs: ['banners:read'],
    nav: { group: 'Buying', label: 'Creatives', icon: Images },
    load: async () => (await import('./features/creatives/creatives-page.tsx')).CreativesPage,
  },
  {
    path: '/creatives/new',
    needs: ['banners:write'],
    load: async () => (await import('./features/creatives/new-banner-page.tsx')).NewBannerPage,
  },
  {
    path: '/creatives/$bannerId',
    needs: ['banners:read'],
    load: async () => (await import('./features/creatives/banner-page.tsx')).BannerPage,
  },
  {
    path: '/placements',
    needs: ['placements:read'],
    nav: { group: 'Selling', label: 'Placements and sites', icon: LayoutTemplate },
    load: async () => (await import('./features/inventory/placements-page.tsx')).PlacementsPage,
  },
  {
    path: '/placements/$placementId',
    needs: ['placements:read'],
    load: async () => (await import('./features/inventory/placement-page.tsx')).PlacementPage,
  },
  {
    path: '/sites/$siteId',
    needs: ['sites:read'],
    load: async () => (await import('./features/inventory/site-page.tsx')).SitePage,
  },
  {
    path: '/approvals',
    needs: ['approvals:read'],
    nav: { group: 'Selling', label: 'Approvals', icon: BadgeCheck },
    load: async () => (await import('./features/creatives/approvals-page.tsx')).ApprovalsPage,
  },
  {
    path: '/why',
    needs: ['decisions:read'],
    nav: { group: 'Insight', label: 'Why?', icon: MessageCircleQuestion },
    load: async () => (await import('./features/decisions/why-page.tsx')).WhyPage,
  },
]
