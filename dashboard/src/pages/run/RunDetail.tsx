import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function RunDetail() {
  return (
    <>
      <PageHeader title="Run" />
      <Empty title="Nothing here yet." />
    </>
  );
}
