import { useSearchParams } from '../../search-params.ts'
import { useMay } from '../../api/me.ts'
import { Things, WITHOUT_LIST } from '../../things/things.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { type Tab, Tabs } from '../../ui/layout/tabs.tsx'
import { AuditLog } from './audit-log.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { Health } from './health.tsx'
import { ShowFirstSteps } from '../home/first-steps.tsx'
import { keyThing } from './key-thing.tsx'
import { Nodes } from './nodes.tsx'
import { Quarantine } from './quarantine.tsx'
import { Queues } from './queues.tsx'
import { SetAside } from './set-aside.tsx'
import { Settings } from './settings.tsx'
import { Switches } from './switches.tsx'
import { Syncs } from './syncs.tsx'
import { Webhooks } from './webhooks.tsx'

interface Part extends Tab {
  readonly needs: string
}

const PARTS: readonly Part[] = [
  { name: 'health', label: 'Health', needs: 'operations:read', content: <Health /> },
  { name: 'nodes', label: 'Servers', needs: 'operations:read', content: <Nodes /> },
  { name: 'queues', label: 'Queues', needs: 'operations:read', content: <Queues /> },
  { name: 'dead', label: 'Failed jobs', needs: 'operations:read', content: <DeadLetters /> },
  { name: 'quarantine', label: 'Events', needs: 'operations:read', content: <Quarantine /> },
  { name: 'aside', label: 'Set aside', needs: 'operations:read', content: <SetAside /> },
  { name: 'syncs', label: 'Channels', needs: 'channels:read', content: <Syncs /> },
  { name: 'webhooks', label: 'Webhooks', needs: 'webhooks:read', content: <Webhooks /> },
  { name: 'keys', label: 'API keys', needs: 'keys:read', content: <Things of={keyThing} /> },
  { name: 'switches', label: 'Switches', needs: 'switches:read', content: <Switches /> },
  { name: 'settings', label: 'Settings', needs: 'operations:read', content: <Settings /> },
  { name: 'audit', label: 'Audit log', needs: 'audit:read', content: <AuditLog /> },
]

/** Everything about running Placard. Each user sees the parts they may see. */
export function OperationsPage() {
  const may = useMay()
  const [params, setParams] = useSearchParams()
  const parts = PARTS.filter(({ needs }) => may(needs))
  const open = parts.find(({ name }) => name === params['tab'])?.name ?? parts[0]?.name ?? ''
  return (
    <Page
      title="Operations"
      about="Servers, background jobs, integrations, settings and the audit log."
      actions={may('operations:write') && <ShowFirstSteps />}
    >
      <Tabs
        label="Operations"
        tabs={parts}
        open={open}
        onOpen={(tab) => setParams({ ...WITHOUT_LIST, tab })}
      />
    </Page>
  )
}
