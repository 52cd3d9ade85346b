/** The same as `index.html` shows before anything is loaded, so that nothing jumps. */
export function Opening() {
  return (
    <div className="opening">
      <img src="/icon.svg" alt="" width="20" height="20" />
      Agentwright
    </div>
  );
}
