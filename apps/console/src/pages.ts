import {
  BadgeCheck,
  Briefcase,
  ChartColumn,
  CircleUser,
  FilePen,
  Gavel,
  History,
  House,
  Images,
  LayoutTemplate,
  type LucideIcon,
  Megaphone,
  MessageCircleQuestion,
  Repeat,
  ServerCog,
  ShieldCheck,
  Store,
  Wallet,
} from 'lucide-react'
import type { ComponentType } from 'react'

export interface PageEntry {
  /** `$name` is a variable part: `/campaigns/$campaignId`. */
  readonly path: string
  /** One of these permissions is enough. Without any, everyone may see it. */
  readonly needs?: readonly string[]
  readonly load: () => Promise<ComponentType>
  /** The page's place in the navigation. Pages without one are linked from others. */
  readonly nav?: {
    readonly group: 'Overview' | 'Buying' | 'Selling' | 'Insights' | 'Administration'
    readonly label: string
    readonly icon: LucideIcon
  }
}

export const GROUPS = ['Overview', 'Buying', 'Selling', 'Insights', 'Administration'] as const

/** Every page of the console, in the order of the navigation. */
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
    path: '/advertisers',
    needs: ['advertisers:read'],
    nav: { group: 'Buying', label: 'Advertisers', icon: Briefcase },
    load: async () => (await import('./features/advertisers/advertisers-page.tsx')).AdvertisersPage,
  },
  {
    path: '/change-sets',
    needs: ['campaigns:write'],
    nav: { group: 'Buying', label: 'Change sets', icon: History },
    load: async () =>
      (await import('./features/campaigns/bulk/change-sets-page.tsx')).ChangeSetsPage,
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
    path: '/proposals',
    needs: ['proposals:read'],
    nav: { group: 'Buying', label: 'Proposals', icon: FilePen },
    load: async () => (await import('./features/campaigns/proposals-page.tsx')).ProposalsPage,
  },
  {
    path: '/budgets',
    needs: ['campaigns:read'],
    nav: { group: 'Buying', label: 'Budgets', icon: Wallet },
    load: async () => (await import('./features/budgets/budgets-page.tsx')).BudgetsPage,
  },
  {
    path: '/budgets/$campaignId',
    needs: ['campaigns:read'],
    load: async () => (await import('./features/budgets/ledger-page.tsx')).LedgerPage,
  },
  {
    path: '/caps',
    needs: ['caps:read'],
    nav: { group: 'Buying', label: 'Frequency caps', icon: Repeat },
    load: async () => (await import('./features/frequency/caps-page.tsx')).CapsPage,
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
    nav: { group: 'Insights', label: 'Why?', icon: MessageCircleQuestion },
    load: async () => (await import('./features/decisions/why-page.tsx')).WhyPage,
  },
  {
    path: '/sellpages',
    needs: ['channels:read'],
    nav: { group: 'Insights', label: 'Sellpages', icon: Store },
    load: async () => (await import('./features/reports/sellpages-page.tsx')).SellpagesPage,
  },
  {
    path: '/reports',
    needs: ['reports:read'],
    nav: { group: 'Insights', label: 'Reports', icon: ChartColumn },
    load: async () => (await import('./features/reports/reports-page.tsx')).ReportsPage,
  },
  {
    path: '/auctions',
    needs: ['decisions:read'],
    nav: { group: 'Insights', label: 'Auctions', icon: Gavel },
    load: async () => (await import('./features/decisions/auctions-page.tsx')).AuctionsPage,
  },
  {
    path: '/trust',
    needs: ['geo:read'],
    nav: { group: 'Administration', label: 'Trust', icon: ShieldCheck },
    load: async () => (await import('./features/geo-profile/trust-page.tsx')).TrustPage,
  },
  {
    path: '/trust/$userId',
    needs: ['geo:read'],
    load: async () => (await import('./features/geo-profile/person-page.tsx')).PersonPage,
  },
  {
    path: '/operations',
    needs: ['operations:read', 'keys:read', 'audit:read'],
    nav: { group: 'Administration', label: 'Operations', icon: ServerCog },
    load: async () => (await import('./features/operations/operations-page.tsx')).OperationsPage,
  },
  {
    path: '/account',
    nav: { group: 'Administration', label: 'Account', icon: CircleUser },
    load: async () => (await import('./features/accounts/account-page.tsx')).AccountPage,
  },
]
