package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How far agents are with what was ordered. Stateless. */
public final class Following {
    private static final int PAUSE_MILLIS = 200;
    private static final int LOOKS = 150;

    private Following() {}

    /**
     * Waits half a minute at most for those agents that are there to follow {@code answer}, and prints how each fares.
     *
     * @return the exit code
     */
    static int await(ControlClient client, JsonNode answer, PrintWriter out) throws IOException, InterruptedException {
        return print(settled(client, answer), answer.path("revision").asLong(), out);
    }

    /** Waits as long for them, and returns what {@code /v1/orders} answered last. */
    public static JsonNode settled(ControlClient client, JsonNode answer) throws IOException, InterruptedException {
        long revision = answer.path("revision").asLong();
        JsonNode orders = answer;
        CountDownLatch never = new CountDownLatch(1);
        for (int look = 0; look < LOOKS && lags(orders, revision); look++) {
            never.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            orders = client.get("/v1/orders");
        }
        return orders;
    }

    /** Prints how each agent fares with {@code orders}, what {@code /v1/orders} answered, and returns the exit code. */
    static int print(JsonNode orders, long revision, PrintWriter out) {
        boolean fine = !lags(orders, revision) && !orders.path("agents").isEmpty();
        if (orders.path("agents").isEmpty()) {
            out.println("revision " + revision + "; no agent is there to follow it");
        }
        for (JsonNode agent : orders.path("agents")) {
            out.println("revision " + revision + "; " + line(agent, revision));
            for (JsonNode problem : agent.path("problems")) {
                out.println("  problem: " + problem.asText());
                fine = false;
            }
        }
        out.flush();
        return fine ? Exit.FINE : Exit.ATTENTION;
    }

    /** How far one is: {@code debug-17 follows it: probes 3 armed, 0 off}. */
    public static String line(JsonNode agent, long revision) {
        long has = agent.path("revision").asLong();
        StringJoiner standing = new StringJoiner("; ");
        agent.path("standing")
                .properties()
                .forEach(kind ->
                        standing.add(kind.getKey() + " " + kind.getValue().asText()));
        return agent.path("name").asText()
                + (has >= revision ? " follows it" : has < 0 ? " follows none yet" : " still follows " + has)
                + (standing.length() == 0 ? "" : ": " + standing);
    }

    private static boolean lags(JsonNode orders, long revision) {
        for (JsonNode agent : orders.path("agents")) {
            if (agent.path("revision").asLong() < revision) {
                return true;
            }
        }
        return false;
    }
}
