import { X } from 'lucide-react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { AdProducts, Site } from '../../api/types.ts'
import { IconButton } from '../../ui/button.tsx'
import { ChoicePicker } from '../../ui/forms/search-picker.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Answer, ProblemNote } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'

interface Blocks {
  readonly items: readonly { readonly adProductCategory: string }[]
}

/** Products blocked on the site. */
export function Blocklist({ site }: { readonly site: Site }) {
  const canChange = useMay()('sites:write')
  const path = `/admin/sites/${site.id}/ad-product-blocks`
  const blocks = useRead<Blocks>(path)
  const products = useRead<AdProducts>('/admin/ad-products')
  const items = products.data?.items ?? []
  const nameOf = new Map(items.map(({ id, name }) => [id, name]))
  const sayProduct = (id: string) => nameOf.get(id) ?? id
  const block = useChange(
    (category: string) => api.put(`${path}/${encodeURIComponent(category)}`),
    { touches: [path] },
  )
  const unblock = useChange(
    (category: string) => api.delete(`${path}/${encodeURIComponent(category)}`),
    { touches: [path] },
  )
  const take = (category: string) =>
    unblock.mutate(category, {
      onSuccess: () =>
        notify(`${sayProduct(category)} is allowed again.`, () => block.mutate(category)),
      onError: notifyProblem,
    })
  return (
    <Card title="Blocked products" hint="With a product, everything below it is blocked">
      <Answer of={blocks}>
        {({ items }) => (
          <ul className="mb-3 flex flex-wrap gap-1.5">
            {items.length === 0 && <li className="text-ink-faint">All products are allowed.</li>}
            {items.map(({ adProductCategory: id }) => (
              <li key={id} className="flex items-center rounded-md bg-sunken pl-2.5 font-medium">
                {sayProduct(id)}
                {canChange && (
                  <IconButton
                    label={`Allow ${sayProduct(id)} again`}
                    icon={X}
                    onClick={() => take(id)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Answer>
      {canChange && (
        <ChoicePicker
          label="Block a product"
          choices={items.map(({ id, name, parentId }) => ({
            value: id,
            label: name,
            note: parentId ? nameOf.get(parentId) : undefined,
          }))}
          value=""
          onValue={(category) => block.mutate(category)}
          none="Choose a product …"
        />
      )}
      <div className="mt-2">
        <ProblemNote error={block.error} />
      </div>
    </Card>
  )
}
