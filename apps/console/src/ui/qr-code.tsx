import { encode } from 'uqr'

/** Black on white in every theme, as cameras need it. */
export function QrCode({ label, text }: { readonly label: string; readonly text: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-md border bg-white"
    >
      <path d={squares.join('')} fill="#000" />
    </svg>
  )
}
