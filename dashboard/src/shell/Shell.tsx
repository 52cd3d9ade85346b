import { useEffect, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { listen, useKeys } from "../keys/keys";
import { Toasts } from "../parts/Toast";
import { Away } from "./Away";
import { KeysDialog } from "./KeysDialog";
import { Nav } from "./Nav";
import { PLACES } from "./places";
import styles from "./Shell.module.css";
import { ThumbBar } from "./ThumbBar";
import { TopBar } from "./TopBar";

/** What stands around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const [location, go] = useLocation();
  const [asked, setAsked] = useState(false);
  useEffect(listen, []);
  useKeys("Everywhere", [
    { keys: "?", does: "list the keys", run: () => setAsked(true) },
    { keys: "/", does: "search this page", run: search },
    ...PLACES.map((place) => ({ keys: `g ${place.key}`, does: `go to ${place.title}`, run: () => go(place.path) })),
  ]);
  useEffect(() => {
    document.getElementById("main")?.scrollTo?.(0, 0);
  }, [location]);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <TopBar onKeys={() => setAsked(true)} />
      <Nav />
      <main id="main" className={styles.main} tabIndex={-1}>
        <Away />
        {children}
      </main>
      <ThumbBar />
      {asked && <KeysDialog onClose={() => setAsked(false)} />}
      <Toasts />
    </div>
  );
}

function search() {
  document.querySelector<HTMLInputElement>("[data-search]")?.focus();
}
