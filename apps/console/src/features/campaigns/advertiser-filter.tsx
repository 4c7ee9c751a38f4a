import { useRead } from '../../api/hooks.ts'
import { useMe } from '../../api/me.ts'
import type { Advertiser, PageOf } from '../../api/types.ts'
import { FilterSelect } from '../../ui/fields.tsx'

interface FilterProps {
  readonly value: string
  readonly onValue: (value: string) => void
}

/** For those who see more than one advertiser. */
export function AdvertiserFilter({ value, onValue }: FilterProps) {
  const isPlatform = useMe().user?.accountKind === 'platform'
  const advertisers = useRead<PageOf<Advertiser>>('/admin/advertisers', {
    query: { limit: 200, sort: 'name' },
    when: isPlatform,
  })
  if (!isPlatform) return null
  const options = advertisers.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <FilterSelect
      label="Advertiser"
      value={value}
      onValue={onValue}
      options={[{ value: '', label: 'Any advertiser' }, ...options]}
    />
  )
}
