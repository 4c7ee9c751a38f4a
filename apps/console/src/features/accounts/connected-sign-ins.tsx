import { Building2, Plus, Unplug } from 'lucide-react'
import { useState } from 'react'
import { visitProvider } from '../../api/at-provider.ts'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import type { ExternalIdentities } from '../../api/types.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { When } from '../../ui/format/amounts.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { notify } from '../../ui/overlays/toast.tsx'
import { useProven } from './factors/proven.tsx'

const IDENTITIES = '/me/external-identities'
const HERE = '/account?tab=connected'

type Identity = ExternalIdentities['items'][number]

/** The ways in besides one's own password. */
export function ConnectedSignIns() {
  const own = useRead<ExternalIdentities>(IDENTITIES)
  return (
    <Card
      title="Connected sign-ins"
      hint="You sign in there instead of with a password."
      className="max-w-2xl"
    >
      <Answer of={own}>
        {({ items, providers }) => (
          <div className="flex flex-col gap-4">
            {items.length > 0 ? (
              <ul className="flex flex-col divide-y">
                {items.map((identity) => (
                  <Connected key={identity.id} identity={identity} />
                ))}
              </ul>
            ) : (
              <EmptyState
                icon={Building2}
                title="No connected sign-ins"
                text={
                  providers.length === 0
                    ? 'The operator of your platform has set up no other way to sign in.'
                    : 'Connect one, and use it from the next sign-in on.'
                }
              />
            )}
            <Connect
              providers={providers.filter(
                ({ slug }) => !items.some(({ providerSlug }) => providerSlug === slug),
              )}
            />
          </div>
        )}
      </Answer>
    </Card>
  )
}

function Connect({ providers }: Pick<ExternalIdentities, 'providers'>) {
  const proven = useProven()
  const visit = useChange((slug: string) => visitProvider({ slug, why: 'connect', next: HERE }), {
    touches: [],
  })
  const start = (slug: string) => visit.mutate(slug, { onError: proven.onError(() => start(slug)) })
  return (
    <div className="flex flex-wrap gap-2">
      {providers.map(({ slug, name }) => (
        <Button
          key={slug}
          icon={Plus}
          isBusy={visit.isPending && visit.variables === slug}
          onClick={() => start(slug)}
        >
          Connect {name}
        </Button>
      ))}
      {proven.dialog}
    </div>
  )
}

function Connected({ identity }: { readonly identity: Identity }) {
  const { id, providerName, email, lastUsedAt } = identity
  const [isAsked, setAsked] = useState(false)
  const proven = useProven()
  const remove = useChange(() => api.delete(`${IDENTITIES}/${id}`), { touches: [IDENTITIES] })
  const disconnect = () =>
    remove.mutate(undefined, {
      onSuccess: () => notify(`${providerName} is disconnected.`),
      onError: proven.onError(disconnect),
      onSettled: () => setAsked(false),
    })
  return (
    <li className="flex items-center gap-3 py-2">
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{providerName}</span>
        <span className="block truncate text-xs text-ink-faint">
          {email}
          {lastUsedAt && (
            <>
              , last used <When at={lastUsedAt} />
            </>
          )}
        </span>
      </span>
      <IconButton
        label={`Disconnect ${providerName}`}
        icon={Unplug}
        onClick={() => setAsked(true)}
      />
      <Confirm
        title={`Disconnect ${providerName}?`}
        text="You sign in with your password again. Sessions that began there end."
        action="Disconnect"
        isDangerous
        isBusy={remove.isPending}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={disconnect}
      />
      {proven.dialog}
    </li>
  )
}
