import { Link, useLocation } from "wouter";
import { useOverview } from "../api/overview";
import { Icon } from "../parts/Icon";
import { isHere, PLACES } from "./places";
import styles from "./Nav.module.css";

export function Nav() {
  const [location] = useLocation();
  const overview = useOverview().data;
  const counts: Record<string, number | undefined> = { "/approvals": overview?.approvals, "/runs": overview?.running };
  return (
    <nav className={styles.nav} aria-label="Pages">
      <Link href="/" className={styles.brand}>
        <img src="/icon.svg" alt="" width="20" height="20" />
        Agentwright
      </Link>
      <ul>
        {PLACES.map((place) => (
          <li key={place.path}>
            <Link href={place.path} className={styles.link} aria-current={isHere(place, location) ? "page" : undefined}>
              <Icon name={place.icon} />
              {place.title}
              {Boolean(counts[place.path]) && <span className={styles.count} data-calm={place.path === "/runs" || undefined}>
                  {counts[place.path]}
                </span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
