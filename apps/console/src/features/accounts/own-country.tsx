import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMe } from '../../api/me.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { COUNTRY_CHOICES } from '../../ui/format/codes.ts'
import { useForm } from '../../ui/forms/form.ts'
import { ChoicePicker } from '../../ui/forms/search-picker.tsx'
import { ProblemNote } from '../../ui/layout/states.tsx'
import { notify } from '../../ui/overlays/toast.tsx'

/** The user's declared country. */
export function OwnCountry() {
  const declared = useMe().user?.declaredCountry
  const change = useChange((body: object) => api.put('/me/declared-country', body), {
    touches: ['/me'],
  })
  const { values, field } = useForm({ country: declared ?? '' }, change.error)
  return (
    <Card title="Country you live in" className="max-w-lg">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(values, { onSuccess: () => notify('Your country has been saved.') })
        }}
      >
        <ChoicePicker
          label="Country"
          hint="Connections from elsewhere may be checked. You can change it once in 30 days."
          choices={COUNTRY_CHOICES}
          {...field('country')}
        />
        <ProblemNote error={change.error} />
        <div>
          <Button
            type="submit"
            look="primary"
            isBusy={change.isPending}
            disabled={values.country === '' || values.country === declared}
          >
            Save country
          </Button>
        </div>
      </form>
    </Card>
  )
}
