import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function Runs() {
  return (
    <>
      <PageHeader title="Runs" />
      <Empty title="Nothing here yet." />
    </>
  );
}
