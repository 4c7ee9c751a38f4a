import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange, useRead } from '../../../api/hooks.ts'
import { faultsOf } from '../../../api/problem.ts'
import type { Account, PageOf } from '../../../api/types.ts'
import { SwitchField, TextField } from '../../../ui/forms/fields.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { useForm } from '../../../ui/forms/form.ts'
import { notify } from '../../../ui/overlays/toast.tsx'
import {
  bodyOf,
  type Provider,
  PROVIDERS,
  type ProviderSwitches,
  rulesOf,
  textsOf,
} from './draft.ts'
import { ProviderRules } from './provider-rules.tsx'

interface FormProps {
  /** Without one a new provider is entered. */
  readonly provider: Provider | undefined
  readonly onSaved: (provider: Provider) => void
  readonly onClose: () => void
}

export function ProviderForm({ provider, onSaved, onClose }: FormProps) {
  const accounts = useRead<PageOf<Account>>('/admin/accounts', { query: { limit: 200 } })
  const isNew = provider === undefined
  const save = useChange(
    (body: object) =>
      isNew
        ? api.post<Provider>(PROVIDERS, body)
        : api.patch<Provider>(`${PROVIDERS}/${provider.id}`, body, provider.version),
    { touches: [PROVIDERS] },
  )
  const form = useForm(textsOf(provider), save.error)
  const [rules, setRules] = useState(() => rulesOf(provider))
  const [switches, setSwitches] = useState<ProviderSwitches>({
    linksUsers: provider?.linksUsers ?? false,
    trustsFactor: provider?.trustsFactor ?? false,
  })
  const onSuccess = (saved: Provider) => {
    notify(isNew ? `${saved.name} is entered.` : `${saved.name} is changed.`)
    onSaved(saved)
  }
  return (
    <FormDialog
      title={isNew ? 'New identity provider' : `Change ${provider.name}`}
      about="People sign in there, and come in with the account and role of your rules."
      action={isNew ? 'Add provider' : 'Save'}
      of={save}
      onSubmit={() =>
        save.mutate(bodyOf({ texts: form.values, rules, ...switches }, isNew), { onSuccess })
      }
      onClose={onClose}
    >
      <ClientFields isNew={isNew} field={form.field} />
      <TextField
        label="E-mail domains"
        required
        placeholder="company.example"
        hint="Only people with a verified address there come in."
        {...form.field('emailDomains')}
      />
      <ProviderRules
        rules={rules}
        accounts={accounts.data?.items ?? []}
        faults={faultsOf(save.error)}
        onRules={setRules}
      />
      <SwitchField
        label="Link people who have a user here"
        hint="Somebody whose verified address a user has already becomes that user, if the rules give the same account and role. Otherwise they connect it under Account."
        isOn={switches.linksUsers}
        onToggle={(linksUsers) => setSwitches({ ...switches, linksUsers })}
      />
      <SwitchField
        label="The provider always asks for a second factor"
        hint="Then Placard asks for none, even where its answers do not say so."
        isOn={switches.trustsFactor}
        onToggle={(trustsFactor) => setSwitches({ ...switches, trustsFactor })}
      />
      <MoreFields field={form.field} />
    </FormDialog>
  )
}

type Field = ReturnType<typeof useForm<keyof ReturnType<typeof textsOf>>>['field']

/** What the provider shows when Placard is registered there. */
function ClientFields({ isNew, field }: { readonly isNew: boolean; readonly field: Field }) {
  return (
    <>
      <TextField
        label="Name"
        required
        hint="On the button of the sign-in page: “Continue with …”."
        {...field('name')}
      />
      {isNew && (
        <>
          <TextField
            label="Short name"
            required
            autoCapitalize="none"
            placeholder="company"
            hint="Part of the address that you enter at the provider: …/sign-in/company. Never changes."
            {...field('slug')}
          />
          <TextField
            label="Issuer"
            type="url"
            required
            placeholder="https://"
            hint="The address before /.well-known/openid-configuration. Never changes."
            {...field('issuer')}
          />
        </>
      )}
      <TextField label="Client id" required autoComplete="off" {...field('clientId')} />
      <TextField
        label="Client secret"
        type="password"
        required={isNew}
        autoComplete="new-password"
        hint={isNew ? undefined : 'Leave it empty to keep the present one.'}
        {...field('clientSecret')}
      />
    </>
  )
}

/** What most providers need no change of. */
function MoreFields({ field }: { readonly field: Field }) {
  return (
    <details>
      <summary className="cursor-pointer text-xs font-medium text-ink-soft">More settings</summary>
      <div className="mt-3 flex flex-col gap-3">
        <TextField
          label="Session length"
          inputMode="numeric"
          suffix="hours"
          hint="After that people sign in at the provider again, so that it can keep them out."
          {...field('sessionHours')}
        />
        <TextField
          label="Claim with the groups"
          hint="Google: hd, the Workspace of the person."
          {...field('groupsClaim')}
        />
        <TextField
          label="Claim that says the address is verified"
          hint="Entra ID: xms_edov."
          {...field('emailVerifiedClaim')}
        />
        <TextField
          label="Further scopes"
          isOptional
          hint="Some providers tell groups only if asked: groups."
          {...field('scopes')}
        />
        <TextField
          label="Levels that stand for a second factor"
          isOptional
          hint="Values of acr. Placard asks for them, and believes them."
          {...field('factorAcr')}
        />
      </div>
    </details>
  )
}
