// `j` and `k` move through a list whose chosen member stands in the address.
import { useLocation } from "wouter";
import { useKeys } from "./keys";

/** The places of a list in its order, and which of them is open. */
export function useListKeys(title: string, places: string[], open: number) {
  const [, go] = useLocation();
  const move = (to: number) => {
    const place = places[Math.min(Math.max(to, 0), places.length - 1)];
    if (place) go(place);
  };
  useKeys(title, [
    { keys: "j", does: "the next one", run: () => move(open + 1) },
    { keys: "k", does: "the one before", run: () => move(open < 0 ? 0 : open - 1) },
  ]);
}
