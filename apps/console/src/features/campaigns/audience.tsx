import { describeRule } from '@placard/contract/targeting-words'
import { Pencil, Plus, Target, Trash2 } from 'lucide-react'
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
import { draftFrom, draftOf, type RuleDraft, ruleOf } from './rule-draft.ts'

/** The campaign's targeting rules as sentences. All must hold. */
export function Audience({ campaign }: { readonly campaign: Campaign }) {
  const may = useMay()
  const canChange = may('targeting:write')
  const path = `/admin/campaigns/${campaign.id}/targeting-rules`
  const { rows, isLoading, error, retry } = useList<TargetingRule>(path)
  const [opened, setOpened] = useState<TargetingRule | 'new'>()
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
          <Button icon={Plus} onClick={() => setOpened('new')}>
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
              <>
                <IconButton
                  label={`Edit “${sentenceOf(rule)}”`}
                  icon={Pencil}
                  onClick={() => setOpened(rule)}
                />
                <IconButton
                  label={`Remove “${sentenceOf(rule)}”`}
                  icon={Trash2}
                  onClick={() => take(rule)}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      {opened && (
        <RuleDialog
          path={path}
          known={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Card>
  )
}

export const sentenceOf = ({ ruleType, operator, value }: TargetingRule) =>
  describeRule({ ruleType, operator, value: value as never })

interface DialogProps {
  readonly path: string
  /** Undefined for a new one. */
  readonly known: TargetingRule | undefined
  readonly onClose: () => void
}

function RuleDialog({ path, known, onClose }: DialogProps) {
  const [draft, setDraft] = useState<RuleDraft>(() =>
    known ? draftFrom({ ...known, value: known.value as never }) : draftOf('country'),
  )
  const save = useChange(
    (rule: object) =>
      known ? api.patch(`${path}/${known.id}`, rule, known.version) : api.post(path, rule),
    { touches: [path] },
  )
  const rule = ruleOf(draft)
  return (
    <FormDialog
      title={known ? 'Edit condition' : 'Add condition'}
      action={known ? 'Save' : 'Add condition'}
      of={save}
      onSubmit={() => save.mutate(rule, { onSuccess: onClose })}
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
