import { useRead } from '../../api/hooks.ts'
import type { Site, SiteRanker } from '../../api/types.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { saySharePercent } from '../../ui/format/format.ts'

type Topic = SiteRanker['categories'][number]
type Choice = SiteRanker['choices'][number]

/** How well topics do on the site, and their effect on the last ads chosen. */
export function SiteTopics({ site }: { readonly site: Site }) {
  const ranker = useRead<SiteRanker>(`/admin/sites/${site.id}/ranker`)
  const { categories = [], choices = [], usualClickRate } = ranker.data ?? {}
  if (categories.length === 0) return null
  return (
    <Card
      title="Topics readers click"
      hint={
        usualClickRate === undefined
          ? undefined
          : `All topics together: ${saySharePercent(usualClickRate, 2)}`
      }
      isFlush
      className="lg:col-span-2"
    >
      <DataTable
        label="Topics"
        columns={TOPICS}
        rows={categories}
        isLoading={ranker.isPending}
        error={ranker.error}
        keyOf={({ id }) => id}
        empty={null}
      />
      {choices.length > 0 && (
        <DataTable
          label="Last ads chosen by topic"
          columns={CHOICES}
          rows={choices}
          keyOf={({ decidedAt, campaignId }) => `${decidedAt} ${campaignId}`}
          empty={null}
        />
      )}
    </Card>
  )
}

const TOPICS: Column<Topic>[] = [
  { name: 'name', label: 'Topic', cell: ({ name }) => name },
  {
    name: 'impressions',
    label: 'Impressions',
    isNumber: true,
    cell: ({ impressions }) => Math.round(impressions).toLocaleString('en'),
  },
  {
    name: 'clickRate',
    label: 'Click rate',
    isNumber: true,
    cell: ({ clickRate }) => saySharePercent(clickRate, 2),
  },
  {
    name: 'relevance',
    label: 'Raises a score up to',
    isNumber: true,
    cell: ({ relevanceMax }) => `× ${relevanceMax.toFixed(2)}`,
  },
]

const CHOICES: Column<Choice>[] = [
  { name: 'when', label: 'When', cell: ({ decidedAt }) => <When at={decidedAt} /> },
  { name: 'page', label: 'Page', cell: ({ page }) => new URL(page).pathname },
  { name: 'campaign', label: 'Campaign', cell: ({ campaignName }) => campaignName },
  {
    name: 'relevance',
    label: 'Relevance',
    isNumber: true,
    cell: ({ relevance }) => (relevance === null ? '–' : `× ${relevance.toFixed(2)}`),
  },
  {
    name: 'effect',
    label: 'Effect',
    cell: ({ isWonByRelevance }) => (isWonByRelevance ? 'Won by relevance' : 'None'),
  },
]
