import { useLocation, useParams } from "wouter";
import { useOverview } from "../../api/overview";
import { useAsk } from "../../api/runs";
import { useMay } from "../../api/session";
import { PageHeader } from "../../parts/PageHeader";
import { toastProblem } from "../../parts/Toast";
import { Composer } from "./Composer";
import { Conversation } from "./Conversation";
import { Examples } from "./Examples";
import styles from "./Home.module.css";
import { Numbers } from "./Numbers";
import { Recent } from "./Recent";
import { Waiting } from "./Waiting";

/** Where requests are made. `/` begins a conversation, `/chat/{session}` goes on with one. */
export default function Home() {
  const { session } = useParams<{ session?: string }>();
  const [, go] = useLocation();
  const overview = useOverview();
  const ask = useAsk();
  const may = useMay("runner");
  const send = (text: string) => {
    const conversation = session ?? `chat-${crypto.randomUUID().slice(0, 13)}`;
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    ask.mutate(
      { text, session: conversation, zone },
      { onSuccess: () => session ?? go(`/chat/${conversation}`), onError: toastProblem },
    );
  };
  const composer = <Composer onSend={send} busy={ask.isPending} disabled={!may} again={Boolean(session)} />;

  if (session) {
    return (
      <div className={styles.talk}>
        <Conversation session={session} />
        <div className={styles.foot}>{composer}</div>
      </div>
    );
  }
  return (
    <div className={styles.home}>
      <div className={styles.ask}>
        <PageHeader title="What shall be done?" />
        {composer}
        <Examples overview={overview.data} onChoose={send} disabled={!may || ask.isPending} />
      </div>
      <Numbers overview={overview} />
      <Waiting />
      <Recent />
    </div>
  );
}
