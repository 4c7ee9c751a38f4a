import { useMe } from '../../api/me.ts'
import type { Advertiser } from '../../api/types.ts'
import { type Choosable, SearchPicker } from '../../ui/forms/search-picker.tsx'

export const ADVERTISERS: Choosable<Advertiser> = {
  path: '/admin/advertisers',
  query: { sort: 'name' },
  choiceOf: ({ id, name, currency }) => ({ value: id, label: name, note: currency }),
}

interface FilterProps {
  readonly value: string
  readonly onValue: (value: string) => void
}

/** For users who see more than one advertiser. */
export function AdvertiserFilter({ value, onValue }: FilterProps) {
  const isPlatform = useMe().user?.accountKind === 'platform'
  if (!isPlatform) return null
  return (
    <div className="w-[calc(50%-0.25rem)] sm:w-48">
      <SearchPicker
        of={ADVERTISERS}
        label="Advertiser"
        none="Any advertiser"
        {...{ value, onValue }}
        isOptional
        isFilter
      />
    </div>
  )
}
