import { FileText, RotateCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { useLiveUpdates } from '../../api/live-updates.ts'
import type { ContentCategories, Crawl, Site, SitePage } from '../../api/types.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge, StatusBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { saySharePercent } from '../../ui/format/format.ts'
import { ChoicePickers } from '../../ui/forms/search-picker.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { Buyers } from './page-buyers.tsx'

/** The crawled pages of a site, with their topics. */
export function SitePages({ site }: { readonly site: Site }) {
  const canChange = useMay()('sites:write')
  const path = `/admin/sites/${site.id}/pages`
  const list = useList<SitePage>(path, { everySeconds: 60 })
  useLiveUpdates(['pages-updated'], [`/admin/sites/${site.id}`])
  const [corrected, setCorrected] = useState<SitePage>()
  const [offered, setOffered] = useState<SitePage>()
  const columns = useMemo(
    () => columnsWith({ onBuyers: setOffered, onCorrect: canChange ? setCorrected : undefined }),
    [canChange],
  )
  return (
    <Card
      title="Pages and topics"
      hint={<CrawlState site={site} />}
      isFlush
      className="lg:col-span-2"
      actions={canChange && <ReadAnew site={site} />}
    >
      <DataTable
        label="Pages"
        columns={columns}
        {...list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            icon={FileText}
            title="No pages crawled yet"
            text="Crawl the site so that campaigns can target pages by topic."
          />
        }
      />
      {corrected && (
        <Correct page={corrected} path={path} onClose={() => setCorrected(undefined)} />
      )}
      {offered && <Buyers page={offered} path={path} onClose={() => setOffered(undefined)} />}
    </Card>
  )
}

interface Acting {
  readonly onBuyers: (page: SitePage) => void
  readonly onCorrect: ((page: SitePage) => void) | undefined
}

const columnsWith = ({ onBuyers, onCorrect }: Acting): Column<SitePage>[] => [
  {
    name: 'page',
    label: 'Page',
    cell: ({ title, url }) => (
      <span title={url}>
        <span className="font-medium">{title || 'Untitled'}</span>{' '}
        <span className="text-ink-faint">{new URL(url).pathname}</span>
      </span>
    ),
  },
  {
    name: 'categories',
    label: 'Topics',
    from: 'sm',
    cell: ({ categories, isCorrected, fault }) => (
      <span className="inline-flex gap-1">
        {categories.length === 0 && <span className="text-ink-faint">{fault ?? '—'}</span>}
        {categories.slice(0, 3).map(({ id, name, confidence }) => (
          <Badge key={id} tone={isCorrected ? 'accent' : 'neutral'}>
            {name} {!isCorrected && saySharePercent(confidence, 0)}
          </Badge>
        ))}
      </span>
    ),
  },
  {
    name: 'state',
    label: 'Status',
    width: '6.5rem',
    from: 'md',
    cell: ({ state }) => <StatusBadge status={state} />,
  },
  {
    name: 'read',
    label: 'Crawled',
    width: '8.5rem',
    from: 'lg',
    cell: ({ fetchedAt }) => <When at={fetchedAt} />,
  },
  {
    name: 'buyers',
    label: '',
    width: '6rem',
    from: 'sm',
    cell: (page) => (
      <Button look="ghost" onClick={() => onBuyers(page)}>
        Bidders
      </Button>
    ),
  },
  ...(onCorrect
    ? [
        {
          name: 'correct',
          label: '',
          width: '6.5rem',
          cell: (page: SitePage) => (
            <Button look="ghost" onClick={() => onCorrect(page)}>
              Correct
            </Button>
          ),
        },
      ]
    : []),
]

const crawlOf = (site: Site) => `/admin/sites/${site.id}/crawl`

function CrawlState({ site }: { readonly site: Site }) {
  const crawl = useRead<Crawl>(crawlOf(site), { everySeconds: 5 })
  if (!crawl.data?.startedAt) return 'Not crawled yet'
  const { pagesRead, finishedAt, fault } = crawl.data
  if (!finishedAt) return `Crawling: ${pagesRead} pages so far`
  return (
    <>
      {pagesRead} pages crawled <When at={finishedAt} />
      {fault && `; ${fault}`}
    </>
  )
}

function ReadAnew({ site }: { readonly site: Site }) {
  const read = useChange(() => api.post(crawlOf(site)), { touches: [`/admin/sites/${site.id}`] })
  return (
    <Button
      icon={RotateCw}
      isBusy={read.isPending}
      onClick={() =>
        read.mutate(undefined, {
          onSuccess: () => notify(`${site.domain} is being crawled.`),
          onError: notifyProblem,
        })
      }
    >
      Crawl site
    </Button>
  )
}

interface CorrectProps {
  readonly page: SitePage
  readonly path: string
  readonly onClose: () => void
}

const CATEGORIES_MAX = 3

/** A user's correction of the classifier. */
function Correct({ page, path, onClose }: CorrectProps) {
  const own = `${path}/${page.id}/categories`
  const save = useChange((categoryIds: readonly string[]) => api.put(own, { categoryIds }), {
    touches: [path],
  })
  const undo = useChange(() => api.delete(own), { touches: [path] })
  const [ids, setIds] = useState<readonly string[]>(page.categories.map(({ id }) => id))
  const categories = useRead<ContentCategories>('/admin/content-categories')
  return (
    <FormDialog
      title={page.title || page.url}
      about="Correct the topics of this page"
      action="Save"
      of={{ isPending: save.isPending, error: save.error ?? undo.error }}
      onSubmit={() => save.mutate(ids, { onSuccess: onClose })}
      onClose={onClose}
      otherwise={
        page.isCorrected && (
          <Button
            isBusy={undo.isPending}
            onClick={() => undo.mutate(undefined, { onSuccess: onClose })}
          >
            Remove correction
          </Button>
        )
      }
    >
      <Answer of={categories}>
        {({ items }) => (
          <ChoicePickers
            label="Categories"
            choices={choicesOf(items)}
            values={ids}
            onValues={setIds}
            most={CATEGORIES_MAX}
            hint="One to three, of the IAB Content Taxonomy 3.1"
          />
        )}
      </Answer>
    </FormDialog>
  )
}

/** "Running" is also found by its parents: "Sports · Running". */
function choicesOf(items: ContentCategories['items']) {
  const nameOf = new Map(items.map(({ id, name }) => [id, name]))
  return items.map(({ id, name, parentId }) => ({
    value: id,
    label: name,
    note: parentId ? nameOf.get(parentId) : undefined,
  }))
}
