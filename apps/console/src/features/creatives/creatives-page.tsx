import { Link } from '@tanstack/react-router'
import { Images, Plus } from 'lucide-react'
import { useCallback } from 'react'
import { useList } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Banner } from '../../api/types.ts'
import { useSearchParams } from '../../search-params.ts'
import { Badge, StatusBadge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { CardList } from '../../ui/layout/card-list.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { AdvertiserFilter } from '../campaigns/advertiser-filter.tsx'

const STATUSES = ['evergreen', 'scheduled', 'active', 'expired']
const FORMATS = ['single_image', 'video', 'html', 'native']
const anyOf = (all: string, values: readonly string[]) => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: sayWord(value) })),
]

/** All banners as thumbnails. */
export function CreativesPage() {
  const may = useMay()
  const [params, setParams] = useSearchParams()
  const { search, scheduleStatus, format, advertiserId } = params
  const list = useList<Banner>('/admin/banners', {
    query: { search, scheduleStatus, format, advertiserId },
    pageSize: 60,
  })
  return (
    <Page
      title="Creatives"
      about="All banners. One banner can run in several campaigns."
      actions={
        may('banners:write') && (
          <ButtonLink to="/creatives/new" look="primary" icon={Plus}>
            New banner
          </ButtonLink>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          label="Search banners"
          value={search ?? ''}
          onValue={useCallback((text) => setParams({ search: text }), [setParams])}
        />
        <FilterSelect
          label="Schedule"
          value={scheduleStatus ?? ''}
          onValue={(value) => setParams({ scheduleStatus: value })}
          options={anyOf('Any schedule', STATUSES)}
        />
        <FilterSelect
          label="Format"
          value={format ?? ''}
          onValue={(value) => setParams({ format: value })}
          options={anyOf('Any format', FORMATS)}
        />
        <AdvertiserFilter
          value={advertiserId ?? ''}
          onValue={(value) => setParams({ advertiserId: value })}
        />
      </div>
      <CardList
        list={list}
        className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-4"
        empty={
          <EmptyState
            icon={Images}
            title="No banners found"
            text="Create a banner from an image, a video or HTML, or use fewer filters."
          />
        }
      >
        {(banner) => <Tile key={banner.id} banner={banner} />}
      </CardList>
    </Page>
  )
}

function Tile({ banner }: { readonly banner: Banner }) {
  const { id, title, advertiserName, format, width, height, isActive, scheduleStatus } = banner
  return (
    <li className="group relative overflow-hidden rounded-lg border bg-surface shadow-card hover:border-line-strong">
      <div
        className="grid h-32 place-items-center bg-sunken p-3"
        style={{ background: banner.bgColor ?? undefined }}
      >
        <img
          src={banner.primaryImageUrl}
          alt={banner.primaryImageAlt ?? ''}
          loading="lazy"
          className="max-h-26 max-w-full rounded-sm object-contain shadow-card transition-transform group-hover:scale-[1.02]"
        />
      </div>
      <div className="flex flex-col gap-1.5 border-t p-3">
        <Link
          to={`/creatives/${id}`}
          className="truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-lg focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {title}
        </Link>
        <p className="truncate text-xs text-ink-faint">
          {advertiserName} · {width && height ? `${width} × ${height}` : sayWord(format)}
        </p>
        <p className="flex flex-wrap gap-1">
          {isActive ? <StatusBadge status={scheduleStatus} /> : <Badge>Inactive</Badge>}
          {format !== 'single_image' && <Badge>{sayWord(format)}</Badge>}
        </p>
      </div>
    </li>
  )
}
