import { Film } from 'lucide-react'
import { useRef } from 'react'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import type { Asset } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { ProblemNote } from '../../ui/layout/states.tsx'
import type { BannerValues } from './banner-values.ts'

type Name = 'videoUrl' | 'videoDurationMs' | 'videoSkipAfterMs' | 'vastUrl'

interface Props {
  readonly set: (change: Partial<BannerValues>) => void
  readonly field: (name: Name) => {
    readonly value: string
    readonly onValue: (value: string) => void
    readonly fault: string | undefined
  }
  /** The account that will own the uploaded file. */
  readonly accountId: string | undefined
}

/** A film by its URL, uploaded from this device, or behind the tag of another ad server. */
export function FilmFields({ set, field, accountId }: Props) {
  const file = useRef<HTMLInputElement>(null)
  const upload = useChange(
    (film: File) => api.upload<Asset>('/admin/assets', film, { accountId, fileName: film.name }),
    { touches: ['/admin/assets'] },
  )
  const take = (film: File | undefined) => {
    if (!film) return
    upload.mutate(film, {
      onSuccess: ({ filePath, width, height }) =>
        set({
          videoUrl: filePath,
          videoDurationMs: '',
          ...(width && height && { width: String(width), height: String(height) }),
        }),
    })
  }
  return (
    <>
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <TextField label="Video URL" placeholder="https://…" {...field('videoUrl')} />
        </div>
        <input
          ref={file}
          type="file"
          accept="video/mp4,video/webm"
          className="sr-only"
          aria-label="Video from this device"
          tabIndex={-1}
          onChange={({ target }) => take(target.files?.[0])}
        />
        <Button icon={Film} isBusy={upload.isPending} onClick={() => file.current?.click()}>
          Upload
        </Button>
      </div>
      <ProblemNote error={upload.error} />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Length in seconds"
          isOptional
          inputMode="decimal"
          hint="Read from an uploaded file; needed for a video elsewhere."
          {...field('videoDurationMs')}
        />
        <TextField
          label="May be skipped after (seconds)"
          isOptional
          inputMode="decimal"
          hint="Empty: never."
          {...field('videoSkipAfterMs')}
        />
      </div>
      <TextField
        label="VAST tag of another ad server"
        isOptional
        placeholder="https://…"
        hint="Instead of a file. Players fetch it, and Placard counts."
        {...field('vastUrl')}
      />
    </>
  )
}
