interface DayFilterProps {
  readonly label: string
  readonly value: string
  readonly onValue: (day: string) => void
}

/** A day in a bar of filters. */
export function DayFilter({ label, value, onValue }: DayFilterProps) {
  return (
    <label className="inline-flex items-center gap-1.5">
      <span className="text-xs text-ink-faint">{label}</span>
      <input
        type="date"
        value={value}
        onChange={({ target }) => onValue(target.value)}
        className="h-8 rounded-md border border-line-strong bg-surface px-2 shadow-card"
      />
    </label>
  )
}
