import type { BookablePlacement } from '../../../api/types.ts'
import { sayShortCount } from '../../../ui/format/format.ts'
import { type Choosable, SearchPickers } from '../../../ui/forms/search-picker.tsx'

/** Placements that the user may book, with site, size and traffic. */
const BOOKABLE: Choosable<BookablePlacement> = {
  path: '/admin/bookable-placements',
  choiceOf({ id, label, siteDomain, width, height, impressionsPerDay }) {
    const size = width && height ? `${width} × ${height}` : 'any size'
    const traffic = `${sayShortCount(impressionsPerDay)} a day`
    return { value: id, label, note: [siteDomain ?? 'no site yet', size, traffic].join(' · ') }
  },
}

interface Props {
  readonly values: readonly string[]
  readonly onValues: (values: readonly string[]) => void
}

export const PlacementPickers = (props: Props) => (
  <SearchPickers of={BOOKABLE} label="Placements" {...props} />
)
