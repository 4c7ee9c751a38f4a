import { Tabs as RadixTabs } from 'radix-ui'
import type { ReactNode } from 'react'

export interface Tab {
  readonly name: string
  readonly label: string
  readonly count?: number | undefined
  readonly content: ReactNode
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly open: string
  readonly onOpen: (name: string) => void
}

/** Tabs. Keep the open one in the address. */
export function Tabs({ label, tabs, open, onOpen }: TabsProps) {
  return (
    <RadixTabs.Root value={open} onValueChange={onOpen} className="flex flex-col gap-4">
      <RadixTabs.List
        aria-label={label}
        className="-mx-4 flex gap-1 overflow-x-auto border-b px-4 md:mx-0 md:px-0"
      >
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.name}
            value={tab.name}
            className="-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2 font-medium text-ink-faint hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="rounded-sm bg-sunken px-1.5 text-xs text-ink-soft figures">
                {tab.count}
              </span>
            )}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content
          key={tab.name}
          value={tab.name}
          className="flex flex-col gap-4 focus-visible:outline-offset-4"
        >
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  )
}
