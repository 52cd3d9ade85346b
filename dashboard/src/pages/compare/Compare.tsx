import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function Compare() {
  return (
    <>
      <PageHeader title="Compare runs" />
      <Empty title="Nothing here yet." />
    </>
  );
}
