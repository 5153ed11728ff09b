package dev.understudy.sidecar.replay;

import dev.understudy.divergence.compare.VerdictKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What came of a replay. Safe for use by several threads; guarded by {@code this}. */
public final class Outcome {
    private static final int MOST_TOLD = 100;
    private static final int MOST_KEPT = 10_000;
    private static final int MOST_WHOLE = 1_000;

    private final Map<VerdictKind, Long> verdicts = new EnumMap<>(VerdictKind.class);
    private final List<String> told = new ArrayList<>();
    private final List<ReplayedExchange> fine = new ArrayList<>();
    private final List<ReplayedExchange> findings = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private long connections;
    private long failed;
    private long late;

    synchronized void judged(ReplayedExchange exchange) {
        verdicts.merge(exchange.kind(), 1L, Long::sum);
        List<ReplayedExchange> kept = exchange.isFinding() ? findings : fine;
        if (kept.size() < MOST_KEPT) {
            kept.add(kept.size() < MOST_WHOLE ? exchange : exchange.brief());
        }
    }

    synchronized void tell(String what) {
        if (told.size() < MOST_TOLD) {
            told.add(what);
        }
    }

    synchronized void replayed(long waitsInVain) {
        connections++;
        late += waitsInVain;
    }

    synchronized void failed(long connection, String why) {
        failed++;
        String what = "#" + connection + " failed: " + why;
        tell(what);
        if (failures.size() < MOST_TOLD) {
            failures.add(what);
        }
    }

    /** How many exchanges, or connections without any, got that verdict. */
    public synchronized long verdicts(VerdictKind kind) {
        return verdicts.getOrDefault(kind, 0L);
    }

    /** Connections that were replayed to their end. */
    public synchronized long connections() {
        return connections;
    }

    /** Connections that couldn't be. */
    public synchronized long failed() {
        return failed;
    }

    /** How often a request was sent although the reply before it hadn't come. */
    public synchronized long late() {
        return late;
    }

    /** The first differences and failures, in words. */
    public synchronized List<String> told() {
        return List.copyOf(told);
    }

    /**
     * By connection and request: the first 10,000 whose reply is the recorded one, and the first 10,000 of the others,
     * from the thousandth on with one difference each.
     */
    public synchronized List<ReplayedExchange> exchanges() {
        return Stream.concat(fine.stream(), findings.stream())
                .sorted(ReplayedExchange.IN_ORDER)
                .toList();
    }

    /** Why connections couldn't be replayed to their end, the first 100. */
    public synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** All of it in a line, with how long it took. */
    public synchronized String summary(long millis) {
        StringBuilder line = new StringBuilder();
        line.append(connections)
                .append(" connections replayed in ")
                .append(millis)
                .append(" ms, ");
        line.append(failed).append(" failed");
        for (VerdictKind kind : VerdictKind.values()) {
            line.append(", ").append(verdicts(kind)).append(' ').append(kind);
        }
        return line.append(", ").append(late).append(" waits in vain").toString();
    }

    /** How many replies were compared with recorded ones. */
    public synchronized long compared() {
        long compared = 0;
        for (VerdictKind kind : VerdictKind.values()) {
            compared += kind == VerdictKind.NOT_COMPARED ? 0 : verdicts(kind);
        }
        return compared;
    }

    /** Whether all replies were those that had been recorded. */
    public synchronized boolean isSame() {
        return failed == 0 && verdicts(VerdictKind.DIFFERENT) == 0 && verdicts(VerdictKind.NOT_COMPARED) == 0;
    }
}
