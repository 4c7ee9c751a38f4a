import { useMe } from '../../api/me.ts'
import { ADVERTISERS } from '../../things/choosables.ts'
import { SearchPicker } from '../../ui/forms/search-picker.tsx'

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
