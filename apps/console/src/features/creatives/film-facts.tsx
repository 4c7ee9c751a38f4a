import type { Banner } from '../../api/types.ts'
import { Card } from '../../ui/layout/card.tsx'
import { sayCount } from '../../ui/format/format.ts'

type File = NonNullable<Banner['videoFiles']>[number]

/** What players are told about a saved film. */
export function FilmFacts({ banner }: { readonly banner: Banner }) {
  const files = banner.videoFiles ?? []
  if (banner.format !== 'video' || files.length === 0) return null
  const isKnown = files[0]?.durationMs != null
  return (
    <Card
      title="Video files"
      hint={isKnown ? 'As players are told' : 'Without a length no player gets this video'}
    >
      <dl className="flex flex-col gap-2 text-sm">
        {files.map((file) => (
          <div key={file.url} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="min-w-0 truncate" title={file.url}>
              {nameOf(file)}
            </dt>
            <dd className="figures text-ink-faint">{factsOf(file).join(' · ')}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const nameOf = ({ url }: File) => (url.startsWith('/') ? 'Uploaded file' : url)

const MEGABYTE = 1_000_000

const factsOf = ({ contentType, width, height, durationMs, bitrateKbps, byteCount }: File) =>
  [
    contentType,
    width && height ? `${width} × ${height}` : undefined,
    durationMs === null ? 'length unknown' : `${durationMs / 1_000} s`,
    bitrateKbps === null ? undefined : `${sayCount(bitrateKbps)} kbit/s`,
    byteCount === null ? undefined : `${(byteCount / MEGABYTE).toFixed(1)} MB`,
  ].filter((fact) => fact !== undefined)
