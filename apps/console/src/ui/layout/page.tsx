import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'

interface PageProps {
  readonly title: string
  /** Shown beside the title, for example a status. */
  readonly mark?: ReactNode
  readonly about?: ReactNode
  /** The parent page. */
  readonly parent?: { readonly title: string; readonly to: string }
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of every page: link to its parent, title, actions, then the content. */
export function Page({ title, mark, about, parent, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Placard`
    // The browser's performance tools and the benchmark read this mark.
    performance.mark('page-usable')
  }, [title])
  return (
    <div className="mx-auto flex w-full max-w-[1280px] flex-col gap-4 px-4 py-5 md:px-8 md:py-7">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          {parent && (
            <nav
              aria-label="Breadcrumb"
              className="mb-1 flex items-center gap-1 text-xs text-ink-faint"
            >
              <ChevronLeft className="size-3" aria-hidden />
              <Link to={parent.to} className="rounded-sm hover:text-ink hover:underline">
                {parent.title}
              </Link>
            </nav>
          )}
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="text-xl font-semibold tracking-tight text-balance">{title}</h1>
            {mark}
          </div>
          {about && <div className="mt-0.5 max-w-2xl text-ink-faint">{about}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
