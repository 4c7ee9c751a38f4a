import { describeRule } from '@placard/contract/targeting-words'
import { Plus, Target, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Campaign, TargetingRule } from '../../api/types.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { SwitchField } from '../../ui/forms/fields.tsx'
import { EmptyState, ProblemState, Waiting } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { RuleFields } from './rule-fields.tsx'
import { draftOf, type RuleDraft, ruleOf } from './rule-draft.ts'

/** The campaign's targeting rules as sentences. All must hold. */
export function Audience({ campaign }: { readonly campaign: Campaign }) {
  const may = useMay()
  const canChange = may('targeting:write')
  const path = `/admin/campaigns/${campaign.id}/targeting-rules`
  const { rows, isLoading, error, retry } = useList<TargetingRule>(path)
  const [isAdding, setAdding] = useState(false)
  const toggle = useChange(
    ({ rule, isActive }: { rule: TargetingRule; isActive: boolean }) =>
      api.patch(`${path}/${rule.id}`, { isActive }, rule.version),
    { touches: [path] },
  )
  const remove = useChange(({ id }: TargetingRule) => api.delete(`${path}/${id}`), {
    touches: [path],
  })
  const restore = useChange(
    ({ ruleType, operator, value, isActive }: TargetingRule) =>
      api.post(path, { ruleType, operator, value, isActive }),
    { touches: [path] },
  )
  const take = (rule: TargetingRule) =>
    remove.mutate(rule, {
      onSuccess: () => notify(`“${sentenceOf(rule)}” is removed.`, () => restore.mutate(rule)),
      onError: notifyProblem,
    })
  return (
    <Card
      title="Who sees the ads"
      hint={rows.length > 1 ? 'A visitor must match every condition' : undefined}
      isFlush
      actions={
        canChange && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            Add condition
          </Button>
        )
      }
    >
      {isLoading && <Waiting />}
      {error && rows.length === 0 && <ProblemState error={error} retry={retry} />}
      {!isLoading && !error && rows.length === 0 && (
        <EmptyState
          icon={Target}
          title="Everyone sees the ads"
          text="Add a condition to narrow the audience."
        />
      )}
      <ul>
        {rows.map((rule) => (
          <li key={rule.id} className="flex items-center gap-3 px-4 py-2.5 not-last:border-b">
            <div className="min-w-0 flex-1">
              <SwitchField
                label={sentenceOf(rule)}
                isOn={rule.isActive}
                disabled={!canChange}
                onToggle={(isActive) =>
                  toggle.mutate({ rule, isActive }, { onError: notifyProblem })
                }
              />
            </div>
            {canChange && (
              <IconButton label="Remove this condition" icon={Trash2} onClick={() => take(rule)} />
            )}
          </li>
        ))}
      </ul>
      {isAdding && <AddRule path={path} onClose={() => setAdding(false)} />}
    </Card>
  )
}

export const sentenceOf = ({ ruleType, operator, value }: TargetingRule) =>
  describeRule({ ruleType, operator, value: value as never })

function AddRule({ path, onClose }: { readonly path: string; readonly onClose: () => void }) {
  const [draft, setDraft] = useState<RuleDraft>(draftOf('country'))
  const add = useChange((rule: object) => api.post(path, rule), { touches: [path] })
  const rule = ruleOf(draft)
  return (
    <FormDialog
      title="Add condition"
      action="Add condition"
      of={add}
      onSubmit={() => add.mutate(rule, { onSuccess: onClose })}
      onClose={onClose}
    >
      <RuleFields draft={draft} onDraft={setDraft} />
      <p
        className="rounded-md bg-accent-soft px-3 py-2 font-medium text-accent-ink"
        aria-live="polite"
      >
        {describeRule(rule)}
      </p>
    </FormDialog>
  )
}
