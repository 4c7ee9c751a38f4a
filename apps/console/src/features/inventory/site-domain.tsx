import { RotateCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Site, SiteDomain } from '../../api/types.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { Answer } from '../../ui/layout/states.tsx'
import { notifyProblem } from '../../ui/overlays/toast.tsx'

const WHILE_CHECKING_SECONDS = 1

/** Whether the domain is proven, how to prove it, and the last check. */
export function DomainProof({ site }: { readonly site: Site }) {
  const path = `/admin/sites/${site.id}/domain`
  const [waits, setWaits] = useState(false)
  const domain = useRead<SiteDomain>(
    path,
    waits ? { everySeconds: WHILE_CHECKING_SECONDS } : undefined,
  )
  const isChecking = domain.data?.isChecking ?? false
  if (waits !== isChecking) setWaits(isChecking)
  const check = useChange(() => api.post<SiteDomain>(`${path}/check`), {
    touches: ['/admin/sites'],
  })
  const may = useMay()
  return (
    <Card
      title="Domain"
      hint={domain.data && <ProofState domain={domain.data} />}
      actions={
        <>
          {may('operations:write') && domain.data && <Decision site={site} domain={domain.data} />}
          {may('sites:write') && (
            <Button
              icon={RotateCw}
              isBusy={check.isPending || isChecking}
              onClick={() => check.mutate(undefined, { onError: notifyProblem })}
            >
              Check now
            </Button>
          )}
        </>
      }
    >
      <Answer of={domain}>
        {(data) => (data.state === 'proven' ? <Proven domain={data} /> : <HowTo domain={data} />)}
      </Answer>
    </Card>
  )
}

const WAYS = {
  dns: 'by its DNS record',
  file: 'by its file',
  operator: 'by an operator',
  upgrade: 'because the site is older than domain checks',
} as const

function ProofState({ domain }: { readonly domain: SiteDomain }) {
  const { state, provenAt, provenBy, checkedAt } = domain
  if (state === 'proven' && provenBy && provenAt) {
    return (
      <>
        Proven {WAYS[provenBy]}, <When at={provenAt} />
      </>
    )
  }
  return checkedAt ? (
    <>
      Not proven. Last checked <When at={checkedAt} />
    </>
  ) : (
    'Not proven, not checked yet'
  )
}

function Proven({ domain: { domain, failingSince, faults } }: { readonly domain: SiteDomain }) {
  if (failingSince === null) return <p>Ads run on {domain}, and its pages can be read.</p>
  return (
    <div className="flex flex-col gap-2">
      <p>
        The line has been missing since <When at={failingSince} />. After three days the site stops
        showing ads.
      </p>
      <Faults faults={faults} />
    </div>
  )
}

/** The line that proves the domain, and where to put it. */
function HowTo({ domain: { domain, record, files, faults } }: { readonly domain: SiteDomain }) {
  const line = record?.line ?? files[0]?.line ?? ''
  return (
    <div className="flex flex-col gap-3">
      <p>
        Prove that {domain} is yours. Until then the site shows no ads, and its pages are not
        crawled.
      </p>
      <CopyText label="The line that proves the domain" text={line} />
      <dl className="flex flex-col gap-2">
        {record && <Place label="As a TXT record in DNS, at">{record.name}</Place>}
        {files.length > 0 && (
          <Place label={record ? 'Or in a text file, at' : 'In a text file, at'}>
            {files[0]!.url}
          </Place>
        )}
      </dl>
      {record === null && files.length === 0 && (
        <p>Give the site a seed address, or ask an operator to confirm the domain.</p>
      )}
      <Faults faults={faults} />
    </div>
  )
}

function Place({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-faint">{label}</dt>
      <dd className="font-mono text-xs break-all">{children}</dd>
    </div>
  )
}

function Faults({ faults }: { readonly faults: readonly string[] }) {
  if (faults.length === 0) return null
  return (
    <div>
      <p className="font-medium">The last check found:</p>
      <ul className="list-disc pl-5 break-words text-ink-soft">
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </div>
  )
}

/** An operator can confirm or withdraw the proof by hand. */
function Decision({ site, domain }: { readonly site: Site; readonly domain: SiteDomain }) {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const isProven = domain.state === 'proven'
  const decide = useChange(
    () =>
      api.post(`/admin/sites/${site.id}/domain/${isProven ? 'withdraw' : 'confirm'}`, { reason }),
    { touches: ['/admin/sites'] },
  )
  return (
    <>
      <Button onClick={() => setOpen(true)}>{isProven ? 'Withdraw' : 'Confirm by hand'}</Button>
      {isOpen && (
        <FormDialog
          title={isProven ? `Withdraw ${domain.domain}?` : `Confirm ${domain.domain}?`}
          about={
            isProven
              ? 'The site stops showing ads until its domain is proven again.'
              : 'Do this if you know that the publisher owns the domain. The audit log keeps your reason.'
          }
          action={isProven ? 'Withdraw' : 'Confirm'}
          isDangerous={isProven}
          of={decide}
          onSubmit={() => decide.mutate(undefined, { onSuccess: () => setOpen(false) })}
          onClose={() => setOpen(false)}
        >
          <TextField label="Reason" value={reason} onValue={setReason} required maxLength={500} />
        </FormDialog>
      )}
    </>
  )
}
