import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function Intents() {
  return (
    <>
      <PageHeader title="Intents" />
      <Empty title="Nothing here yet." />
    </>
  );
}
