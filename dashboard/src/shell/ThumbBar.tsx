import { useState } from "react";
import { Link, useLocation } from "wouter";
import { Dialog } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { isHere, PLACES, type Place } from "./places";
import styles from "./ThumbBar.module.css";

/** The navigation of phones: what is used most, and the rest behind one button. */
export function ThumbBar() {
  const [location] = useLocation();
  const [more, setMore] = useState(false);
  const item = (place: Place) => (
    <Link
      key={place.path}
      href={place.path}
      className={styles.item}
      aria-current={isHere(place, location) ? "page" : undefined}
      onClick={() => setMore(false)}
    >
      <Icon name={place.icon} size={20} />
      {place.title}
    </Link>
  );
  return (
    <nav className={styles.bar} aria-label="Pages, short">
      {PLACES.filter((place) => place.thumb).map(item)}
      <button type="button" className={styles.item} onClick={() => setMore(true)}>
        <Icon name="more" size={20} />
        More
      </button>
      {more && (
        <Dialog title="Pages" onClose={() => setMore(false)}>
          <div className={styles.all}>{PLACES.filter((place) => !place.thumb).map(item)}</div>
        </Dialog>
      )}
    </nav>
  );
}
