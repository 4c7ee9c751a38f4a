import type { ReactNode } from 'react'

/** A name and its value in a `dl`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3 border-t py-2">
      <dt className="text-ink-faint">{name}</dt>
      <dd className="text-right font-medium figures">{children}</dd>
    </div>
  )
}
