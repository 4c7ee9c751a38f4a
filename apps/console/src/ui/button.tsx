import { Link, type LinkProps } from '@tanstack/react-router'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { cx } from './cx.ts'

type Look = 'primary' | 'secondary' | 'ghost' | 'danger'

const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line-strong bg-surface text-ink shadow-card hover:bg-hover',
  ghost: 'text-ink-soft hover:bg-hover hover:text-ink',
  danger: 'border border-line-strong bg-surface text-bad shadow-card hover:bg-bad-soft',
}

const shapeOf = (look: Look, isIconOnly: boolean) =>
  cx(
    'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md text-sm font-medium whitespace-nowrap transition-colors',
    'disabled:opacity-50 disabled:pointer-events-none',
    isIconOnly ? 'w-8' : 'px-3',
    LOOKS[look],
  )

interface Shape {
  readonly look?: Look
  readonly icon?: LucideIcon
}

interface ButtonProps extends Shape, ButtonHTMLAttributes<HTMLButtonElement> {
  readonly isBusy?: boolean
}

export function Button({
  look = 'secondary',
  icon,
  isBusy,
  children,
  className,
  ...rest
}: ButtonProps) {
  const Icon = isBusy ? LoaderCircle : icon
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      className={cx(shapeOf(look, !children), className)}
    >
      {Icon && <Icon className={cx('size-3.5', isBusy && 'animate-spin')} aria-hidden />}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  look = 'secondary',
  icon: Icon,
  children,
  ...rest
}: Shape & Omit<LinkProps, 'children'> & { readonly children?: ReactNode }) {
  return (
    <Link {...rest} className={shapeOf(look, !children)}>
      {Icon && <Icon className="size-3.5" aria-hidden />}
      {children}
    </Link>
  )
}

/** A secondary action that looks like a link. */
export function LinkButton({ children, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" {...rest} className="self-start text-xs text-ink-soft hover:underline">
      {children}
    </button>
  )
}

/** A button with only an icon. Screen readers read its label. */
export function IconButton({ label, ...rest }: ButtonProps & { readonly label: string }) {
  return <Button look="ghost" aria-label={label} title={label} {...rest} />
}
