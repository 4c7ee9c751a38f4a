import { useEffect, type ReactNode } from 'react'
import { Brand } from './navigation.tsx'

interface FrameProps {
  readonly title: string
  readonly children: ReactNode
  /** Shown below the card. */
  readonly beside?: ReactNode
}

/** The frame of pages without a sign-in: one card in the middle. */
export function SignInFrame({ title, children, beside }: FrameProps) {
  useEffect(() => {
    document.title = `${title} · Placard`
  }, [title])
  return (
    <main className="grid min-h-full place-items-center px-4 py-10">
      <div className="flex w-full max-w-sm flex-col gap-5">
        <div className="flex justify-center">
          <Brand />
        </div>
        <section className="rounded-xl border bg-surface p-6 shadow-card">
          <h1 className="mb-4 text-lg font-semibold">{title}</h1>
          {children}
        </section>
        {beside}
      </div>
    </main>
  )
}

/** A result, or what to do next. */
export function Message({ title, text }: { readonly title: string; readonly text: ReactNode }) {
  return (
    <div role="status" className="mb-4 rounded-md bg-sunken px-3 py-2">
      <p className="font-medium">{title}</p>
      <p className="text-ink-soft">{text}</p>
    </div>
  )
}
