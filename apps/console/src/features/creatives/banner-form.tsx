import { ImageUp } from 'lucide-react'
import { useRef } from 'react'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import type { Asset } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { AreaField, SelectField, SwitchField, TextField } from '../../ui/forms/fields.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { ProblemNote } from '../../ui/layout/states.tsx'
import { ProductPicker } from '../campaigns/edit/taxonomy-pickers.tsx'
import type { BannerValues } from './banner-values.ts'
import { FilmFields } from './film-fields.tsx'

const FORMATS = ['single_image', 'video', 'html', 'native'].map((value) => ({
  value,
  label: sayWord(value),
}))

type Name = keyof BannerValues

interface FieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly fault: string | undefined
}

interface Props {
  readonly values: BannerValues
  readonly set: (change: Partial<BannerValues>) => void
  readonly field: (name: Name) => FieldProps
  /** The account that will own the uploaded file. */
  readonly accountId: string | undefined
}

/** The fields of a banner that readers see. */
export function BannerFields({ values, set, field, accountId }: Props) {
  return (
    <>
      <TextField label="Title" required {...field('title')} hint="Only visible in the console." />
      <SelectField label="Format" {...field('format')} options={FORMATS} />
      <MediaField values={values} set={set} field={field} accountId={accountId} />
      {values.format === 'html' && (
        <AreaField label="HTML" rows={5} className="font-mono" {...field('html')} />
      )}
      {values.format === 'video' && <FilmFields set={set} field={field} accountId={accountId} />}
      <div className="grid gap-3 sm:grid-cols-2">
        {/* All others have their words in the picture, the film or the markup. */}
        {values.format === 'native' && (
          <>
            <TextField label="Headline" isOptional {...field('headline')} />
            <TextField label="Subheadline" isOptional {...field('subheadline')} />
            <TextField label="Button text" isOptional {...field('ctaLabel')} />
          </>
        )}
        <TextField
          label="Landing page URL"
          isOptional
          placeholder="https://…"
          {...field('ctaUrl')}
        />
        <TextField
          label="Alternative text for the image"
          isOptional
          {...field('primaryImageAlt')}
        />
        <TextField
          label="Background colour"
          isOptional
          placeholder="#0f3d3e"
          {...field('bgColor')}
        />
        <ProductPicker label="Advertised product" {...field('adProductCategory')} />
      </div>
      <SwitchField
        label="Open the landing page in a new tab"
        isOn={values.ctaOpenNewTab === 'true'}
        onToggle={(isOn) => set({ ctaOpenNewTab: isOn ? 'true' : '' })}
      />
    </>
  )
}

/** A picture by its URL, or uploaded from this device. */
function MediaField({ set, field, accountId }: Props) {
  const file = useRef<HTMLInputElement>(null)
  const upload = useChange(
    (picture: File) =>
      api.upload<Asset>('/admin/assets', picture, { accountId, fileName: picture.name }),
    { touches: ['/admin/assets'] },
  )
  const take = (picture: File | undefined) => {
    if (!picture) return
    upload.mutate(picture, {
      onSuccess: ({ filePath, width, height }) =>
        set({
          primaryImageUrl: filePath,
          ...(width && height && { width: String(width), height: String(height) }),
        }),
    })
  }
  return (
    <>
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <TextField
            label="Image URL"
            required
            placeholder="https://…"
            {...field('primaryImageUrl')}
          />
        </div>
        <input
          ref={file}
          type="file"
          accept="image/*"
          className="sr-only"
          aria-label="Image from this device"
          tabIndex={-1}
          onChange={({ target }) => take(target.files?.[0])}
        />
        <Button icon={ImageUp} isBusy={upload.isPending} onClick={() => file.current?.click()}>
          Upload
        </Button>
      </div>
      <ProblemNote error={upload.error} />
    </>
  )
}
