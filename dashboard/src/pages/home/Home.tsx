import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function Home() {
  return (
    <>
      <PageHeader title="Home" />
      <Empty title="Nothing here yet." />
    </>
  );
}
