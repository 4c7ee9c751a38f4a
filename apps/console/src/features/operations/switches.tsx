import type { SwitchList } from '@placard/contract/accounts'
import { useState } from 'react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { Answer } from '../../ui/layout/states.tsx'

type Switches = Static<typeof SwitchList>
type Switch = Switches['items'][number]

const SWITCHES = '/admin/switches'

/** Switches that take effect at once on every node. */
export function Switches() {
  const canToggle = useMay()('switches:write')
  const [toggling, setToggling] = useState<Switch>()
  const switches = useRead<Switches>(SWITCHES, { everySeconds: 15 })
  return (
    <Card
      title="Switches"
      hint="Changes reach every server within a second and are recorded in the audit log"
      isFlush
    >
      <Answer of={switches}>
        {({ items }) => (
          <ul>
            {items.map((one) => (
              <li key={one.name} className="flex items-start gap-3 px-4 py-3 not-last:border-b">
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-2">
                    <span className="font-mono text-xs font-medium">{one.name}</span>
                    <Badge tone={one.isOn ? 'good' : 'warn'}>{one.isOn ? 'On' : 'Off'}</Badge>
                  </p>
                  <p className="text-ink-faint">{one.about}</p>
                  {one.note && <p className="text-ink-soft">“{one.note}”</p>}
                </div>
                {canToggle && (
                  <Button onClick={() => setToggling(one)}>Turn {one.isOn ? 'off' : 'on'}</Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Answer>
      {toggling && <Turn one={toggling} onClose={() => setToggling(undefined)} />}
    </Card>
  )
}

function Turn({ one, onClose }: { readonly one: Switch; readonly onClose: () => void }) {
  const [note, setNote] = useState('')
  const toggle = useChange((body: object) => api.put(`${SWITCHES}/${one.name}`, body), {
    touches: [SWITCHES],
  })
  return (
    <Confirm
      title={`Turn ${one.name} ${one.isOn ? 'off' : 'on'}?`}
      text={one.about}
      action={one.isOn ? 'Turn off' : 'Turn on'}
      isDangerous={one.isOn}
      isBusy={toggle.isPending}
      error={toggle.error}
      isOpen
      onClose={onClose}
      onConfirm={() =>
        toggle.mutate({ isOn: !one.isOn, ...(note && { note }) }, { onSuccess: onClose })
      }
    >
      <TextField label="Reason" isOptional value={note} onValue={setNote} />
    </Confirm>
  )
}
