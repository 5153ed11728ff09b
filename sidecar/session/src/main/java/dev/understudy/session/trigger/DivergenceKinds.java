package dev.understudy.session.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.session.trigger.RuleCondition.NewDivergence;
import dev.understudy.sidecar.command.control.ControlClient;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Follows the kinds of divergences that a sidecar reports, as its report groups them: by route and by what differs.
 * Asks on a thread of its own, since a sidecar that hangs must keep no other rule waiting. Safe for use by several
 * threads.
 */
final class DivergenceKinds implements AutoCloseable {
    /** Kinds that are known; of more the oldest are forgotten, and are new when they come again. */
    static final int MOST = 10_000;

    private static final long PAUSE_MILLIS = 2_000;
    private static final int LONGEST = 200;

    private final NewDivergence wanted;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Set<List<String>> known = new LinkedHashSet<>(); // guarded by this, as all below
    private final Deque<String> fresh = new ArrayDeque<>();
    private boolean hasSeen;
    private String problem = "";

    private DivergenceKinds(NewDivergence wanted) {
        this.wanted = wanted;
    }

    /** Begins to ask; what is there at the first answer is known. */
    static DivergenceKinds follow(NewDivergence wanted) {
        DivergenceKinds kinds = new DivergenceKinds(wanted);
        Thread thread = new Thread(kinds::run, "understudy-divergences");
        thread.setDaemon(true);
        thread.start();
        return kinds;
    }

    private void run() {
        try {
            do {
                try {
                    take(ControlClient.ofSidecar(wanted.sidecar(), wanted.token())
                            .get("/v1/divergences"));
                } catch (IOException unreachable) {
                    failed(String.valueOf(unreachable.getMessage()));
                }
            } while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void failed(String why) {
        problem = why;
    }

    /** Takes what the sidecar answers to {@code /v1/divergences}. */
    private synchronized void take(JsonNode document) {
        problem = "";
        for (JsonNode copy : document.path("copies")) {
            String place =
                    copy.path("listener").asText() + " " + copy.path("debug").asText();
            copy.path("firstCauses").forEach(node -> take(place, node));
        }
        hasSeen = true;
    }

    private void take(String place, JsonNode node) {
        JsonNode cause = node.path("cause");
        List<String> kind = new ArrayList<>(List.of(place, cause.path("route").asText()));
        cause.path("places").forEach(each -> kind.add(each.asText()));
        boolean counts = !hasSeen || cause.path("count").asLong() >= wanted.least();
        if (counts && known.add(List.copyOf(kind)) && hasSeen) {
            String text = kind.get(1) + (kind.size() > 2 ? " (" + kind.get(2) + ")" : "");
            fresh.add(text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…");
            if (fresh.size() > MOST) {
                fresh.remove();
            }
        }
        if (known.size() > MOST) {
            known.remove(known.iterator().next());
        }
        node.path("followers").forEach(each -> take(place, each));
    }

    /** The kinds that came since this was last asked, the newest last. */
    synchronized List<String> look() {
        List<String> all = List.copyOf(fresh);
        fresh.clear();
        return all;
    }

    /** Whether the sidecar has answered once, so that what comes from now on is new. */
    synchronized boolean hasSeen() {
        return hasSeen;
    }

    /** Why the sidecar can't be asked; "" if it can. */
    synchronized String problem() {
        return problem;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
