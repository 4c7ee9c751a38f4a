import { useMay } from '../../api/me.ts'
import { useSearchParams } from '../../search-params.ts'
import { Things, WITHOUT_LIST } from '../../things/things.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { advertiserThing } from './advertiser-thing.tsx'
import { connectionThing } from './connection-thing.tsx'
import { productThing } from './product-thing.tsx'
import { sellpageThing } from './sellpage-thing.tsx'

/** Advertisers, and what belongs to them besides campaigns and creatives. */
export function AdvertisersPage() {
  const may = useMay()
  const [{ part = 'advertisers' }, setParams] = useSearchParams()
  const tabs = [
    { thing: 'advertisers', needs: 'advertisers:read', content: <Things of={advertiserThing} /> },
    { thing: 'sellpages', needs: 'campaigns:read', content: <Things of={sellpageThing} /> },
    { thing: 'products', needs: 'references:read', content: <Things of={productThing} /> },
    { thing: 'connections', needs: 'channels:read', content: <Things of={connectionThing} /> },
  ].filter(({ needs }) => may(needs))
  return (
    <Page
      title="Advertisers"
      about="Who buys, the pages and products they advertise, and their accounts on other channels."
    >
      <Tabs
        label="Advertisers"
        open={part}
        onOpen={(name) => setParams({ ...WITHOUT_LIST, part: name })}
        tabs={tabs.map(({ thing, content }) => ({ name: thing, label: sayWord(thing), content }))}
      />
    </Page>
  )
}
