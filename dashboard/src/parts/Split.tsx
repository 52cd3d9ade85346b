import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Icon } from "./Icon";
import styles from "./Split.module.css";

type Props = { list: ReactNode; /** What of the list is open; on narrow screens it stands in the list's place. */ children?: ReactNode; back: string; backTo: string };

/** A list, and beside it what is chosen from it. */
export function Split({ list, children, back, backTo }: Props) {
  const [location] = useLocation();
  const shelf = useRef<HTMLDivElement>(null);
  useEffect(() => {
    shelf.current?.querySelector("[aria-selected=true], [aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [location]);
  return (
    <div className={[styles.split, children ? styles.open : ""].join(" ")}>
      <div ref={shelf} className={styles.list}>{list}</div>
      {children && (
        <div className={styles.detail}>
          <Link href={backTo} className={styles.back}>
            <Icon name="left" />
            {back}
          </Link>
          {children}
        </div>
      )}
    </div>
  );
}
