package dev.understudy.example.demo.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Looks for the service's defect as an operator would: who goes with the requests that fail, and what does it do?
 *
 * <p>Nobody has told the sidecar more than what counts as failing.
 */
public final class Investigation {
    static final String GUILTY = "Discounts#lineTotal";
    static final int ENOUGH = 10;

    private static final String CLASS = "dev.understudy.example.orders.ordering.Discounts";
    private static final String MESSAGE = "{quantity} pieces of {unitCents} cents each, less the discount: {return}";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** An exchange counts once the agent has reported it; nothing new for so long means that all have been. */
    private static final Duration SETTLING = Duration.ofSeconds(30);

    /**
     * After so long with nothing new there are more of these orders: while the machine was busy, the agent may have
     * had no time for most of those that failed.
     */
    private static final Duration QUIET = Duration.ofSeconds(5);

    private static final long PAUSE_MILLIS = 500;

    private final ControlPort sidecar;
    private final OneMoreOrder order;
    private final Duration quiet;

    /** Places an order as quoted, which the defect spoils, through the sidecar. */
    @FunctionalInterface
    public interface OneMoreOrder {
        void place() throws InterruptedException;
    }

    public Investigation(ControlPort sidecar, OneMoreOrder order) {
        this(sidecar, order, QUIET);
    }

    Investigation(ControlPort sidecar, OneMoreOrder order, Duration quiet) {
        this.sidecar = sidecar;
        this.order = order;
        this.quiet = quiet;
    }

    /** What it comes to. What the sidecar doesn't answer isn't found. */
    public Defect run() throws InterruptedException {
        long failing = 0;
        List<String> suspects = List.of();
        String logged = "";
        try {
            long rose = System.nanoTime();
            long placed = rose;
            long enough = 0;
            while (true) {
                JsonNode seen = sidecar.get("/v1/suspects");
                long before = failing;
                failing = seen.at("/exchanges/failing").asLong();
                suspects = ranked(seen.path("suspects"));
                rose = failing > before ? System.nanoTime() : rose;
                boolean isEnough = failing >= ENOUGH;
                enough = isEnough && before < ENOUGH ? System.nanoTime() : enough;
                if (place(suspects) > 0 || !pause(isEnough ? enough + PATIENCE.toNanos() : rose + SETTLING.toNanos())) {
                    break;
                }
                long now = System.nanoTime();
                if (!isEnough && Math.min(now - rose, now - placed) > quiet.toNanos()) {
                    order.place();
                    placed = System.nanoTime();
                }
            }
            logged = place(suspects) == 0 ? "" : log();
        } catch (IOException unanswered) {
            suspects = suspects.isEmpty() ? List.of("(" + unanswered.getMessage() + ")") : suspects;
        }
        return new Defect(failing, suspects, place(suspects), logged);
    }

    /** Each method once, with what is held against it; whoever only called one is left out. */
    private static List<String> ranked(JsonNode suspects) {
        Set<String> methods = new LinkedHashSet<>();
        List<String> ranked = new ArrayList<>();
        for (JsonNode suspect : suspects) {
            List<JsonNode> named = new ArrayList<>(List.of(suspect));
            suspect.path("alike").forEach(named::add);
            for (JsonNode each : named) {
                String method = each.path("method").asText();
                String predicate = each.path("predicate").asText();
                if (!predicate.startsWith("called it") && methods.add(method)) {
                    ranked.add(method.replaceFirst("^dev\\.understudy\\.example\\.", "") + " " + predicate);
                }
            }
        }
        return ranked;
    }

    private static int place(List<String> suspects) {
        for (int n = 0; n < suspects.size(); n++) {
            if (suspects.get(n).startsWith("orders.ordering.Discounts#")) {
                return n + 1;
            }
        }
        return 0;
    }

    /** Places the log point and waits for what it says of one more order. */
    private String log() throws IOException, InterruptedException {
        JsonNode added = sidecar.post(
                "/v1/orders/points",
                Map.of("method", CLASS + "#lineTotal", "at", "exit", "snapshot", false, "message", MESSAGE));
        String id = added.path("added").asText();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isArmed(id) && pause(end)) {
            // the agent looks for orders by itself
        }
        order.place();
        String logged;
        do {
            logged = sidecar.get("/v1/hits?point=" + id).at("/hits/0/text").asText();
        } while (logged.isEmpty() && pause(end));
        return logged;
    }

    private boolean isArmed(String id) throws IOException, InterruptedException {
        for (JsonNode point : sidecar.get("/v1/orders/points").path("points")) {
            if (point.path("id").asText().equals(id)) {
                return !point.path("agents").isEmpty();
            }
        }
        return false;
    }

    private static boolean pause(long end) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        return System.nanoTime() < end;
    }
}
