import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function Routes() {
  return (
    <>
      <PageHeader title="Route lab" />
      <Empty title="Nothing here yet." />
    </>
  );
}
