// Traces that teach two things: looking the customer up first helps, and reading the policy does.
import type { World } from "./world";

export async function teach(world: World, agent: string, traces = 240) {
  let seed = 9;
  const chance = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let at = 0; at < traces; at++) {
    const [first, read] = [chance() < 0.5, chance() < 0.6];
    const { id } = await world.api<{ id: string }>("POST", "/v1/traces", { agent, problem: "refund", user: `u${at % 11}` });
    const calls = [...(first ? ["customers.find", "orders.find"] : ["orders.find", "customers.find"]), read ? "policy.read" : "web.search", "mail.draft"];
    for (const tool of calls) await world.api("POST", `/v1/traces/${id}/calls`, { tool, success: true, duration_ms: 50 });
    await world.api("POST", `/v1/traces/${id}/end`, { success: chance() < (first ? 0.95 : 0.4) - (read ? 0 : 0.3) });
  }
  await world.api("POST", "/v1/learning/run");
}
