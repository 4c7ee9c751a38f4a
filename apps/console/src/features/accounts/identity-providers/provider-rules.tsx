import { Plus, Trash2 } from 'lucide-react'
import type { Account } from '../../../api/types.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/forms/fields.tsx'
import { ROLES } from '../user-help.tsx'
import { nextKey, type Role, type RuleDraft } from './draft.ts'

const ROLES_OF: Readonly<Record<Account['kind'], readonly string[]>> = {
  platform: ['operator', 'ad-ops', 'trust'],
  advertiser: ['advertiser'],
  publisher: ['publisher'],
}

/** Roles that users of such an account may have. */
const rolesIn = (account: Account | undefined) =>
  ROLES.filter(({ value }) => !account || ROLES_OF[account.kind].includes(value))

interface RulesProps {
  readonly rules: readonly RuleDraft[]
  readonly accounts: readonly Account[]
  readonly faults: Readonly<Record<string, string>>
  readonly onRules: (rules: readonly RuleDraft[]) => void
}

/** Who gets which role: from the top, the first rule that fits. */
export function ProviderRules({ rules, accounts, faults, onRules }: RulesProps) {
  const change = (at: number, rule: RuleDraft) => onRules(rules.with(at, rule))
  const add = () => {
    const account = accounts.find(({ kind }) => kind === 'platform') ?? accounts[0]
    const accountId = account?.id ?? ''
    const role = (rolesIn(account).at(-1)?.value ?? 'trust') as Role
    onRules([...rules, { key: nextKey(), group: '', emailDomain: '', accountId, role }])
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-xs font-medium text-ink-soft">Who may come in</legend>
      <p className="text-xs text-ink-faint">
        From the top, the first rule that fits gives account and role. Without one nobody comes in.
      </p>
      {rules.map((rule, at) => (
        <Rule
          key={rule.key}
          at={at}
          rule={rule}
          accounts={accounts}
          faults={faults}
          onRule={(next) => change(at, next)}
          onRemove={() => onRules(rules.toSpliced(at, 1))}
        />
      ))}
      <div>
        <Button icon={Plus} onClick={add}>
          Add rule
        </Button>
      </div>
    </fieldset>
  )
}

interface RuleProps {
  readonly at: number
  readonly rule: RuleDraft
  readonly accounts: readonly Account[]
  readonly faults: Readonly<Record<string, string>>
  readonly onRule: (rule: RuleDraft) => void
  readonly onRemove: () => void
}

function Rule({ at, rule, accounts, faults, onRule, onRemove }: RuleProps) {
  const account = accounts.find(({ id }) => id === rule.accountId)
  const fault = (field: string) => faults[`rules/${at}/${field}`]
  const chooseAccount = (accountId: string) => {
    const possible = rolesIn(accounts.find(({ id }) => id === accountId))
    const isPossible = possible.some(({ value }) => value === rule.role)
    const role = isPossible ? rule.role : ((possible[0]?.value ?? rule.role) as Role)
    onRule({ ...rule, accountId, role })
  }
  return (
    <div role="group" aria-label={`Rule ${at + 1}`} className="rounded-md border p-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Group"
          isOptional
          placeholder="Everybody"
          value={rule.group}
          fault={fault('group')}
          onValue={(group) => onRule({ ...rule, group })}
        />
        <TextField
          label="E-mail domain"
          isOptional
          placeholder="Any of those above"
          value={rule.emailDomain}
          fault={fault('emailDomain')}
          onValue={(emailDomain) => onRule({ ...rule, emailDomain })}
        />
        <SelectField
          label="Account"
          options={accounts.map(({ id, name }) => ({ value: id, label: name }))}
          value={rule.accountId}
          fault={fault('accountId')}
          onValue={chooseAccount}
        />
        <SelectField
          label="Role"
          options={rolesIn(account)}
          value={rule.role}
          fault={fault('role')}
          onValue={(role) => onRule({ ...rule, role: role as Role })}
        />
      </div>
      <div className="mt-2 flex justify-end">
        <IconButton label={`Remove rule ${at + 1}`} icon={Trash2} onClick={onRemove} />
      </div>
    </div>
  )
}
