package dev.understudy.testing;

import dev.understudy.testing.client.ComparisonCounts;
import dev.understudy.testing.client.ExchangeVerdict;
import dev.understudy.testing.client.UnderstudyClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Finds what came since the last look and breaks a rule. One thread at a time; each finding is returned once.
 *
 * <p>Marks are the counters at the end of the last look. Counters only grow, so the newest verdicts of a kind are those
 * that its counter has grown by.
 */
public final class EnvironmentCheck {
    private static final Duration POLL = Duration.ofMillis(40);

    /** The relay copies bytes after it has written them: a client may be here before its copy. */
    private static final int SETTLED_POLLS = 3;

    private static final Duration FIRST_EXCHANGE = Duration.ofSeconds(2);

    private final UnderstudyClient client;
    private final Supplier<Set<String>> reached;
    private final Duration patience;
    private final Set<Long> calls = new HashSet<>();
    private ComparisonCounts mark;

    /**
     * Counts from now on.
     *
     * @param reached the addresses that debug should not have reached, since the last call
     * @param patience how long debug may take to answer what production has answered
     */
    public EnvironmentCheck(UnderstudyClient client, Supplier<Set<String>> reached, Duration patience) {
        this.client = client;
        this.reached = reached;
        this.patience = patience;
        this.mark = client.status();
    }

    /** What breaks one of the rules, a paragraph for each; empty if nothing does. */
    public synchronized List<String> problems(Set<FailureRule> rules) {
        ComparisonCounts before = mark;
        ComparisonCounts now = settled();
        mark = now;
        List<String> problems = new ArrayList<>();
        if (!now.isSettled()) {
            problems.add("UNSETTLED  after " + patience + " debug has not answered all that production answered: "
                    + now.judged() + " of " + now.answered() + " exchanges are compared");
        }
        long judged = now.judged() - before.judged();
        if (rules.contains(FailureRule.NOTHING) && judged == 0) {
            problems.add("NOTHING  no exchange was compared: send requests to the environment's address");
        }
        if (rules.contains(FailureRule.DIFFERENT)) {
            FailureText.verdicts(newest(client::divergences, "DIFFERENT", before, now), problems);
        }
        if (rules.contains(FailureRule.NOT_COMPARED)) {
            FailureText.verdicts(newest(client::notCompared, "NOT_COMPARED", before, now), problems);
        }
        if (rules.contains(FailureRule.LOST)) {
            now.lost().forEach((reason, events) -> {
                long more = events - before.lost().getOrDefault(reason, 0L);
                if (more > 0) {
                    problems.add("LOST  " + more + " times input for debug, reason " + reason);
                }
            });
        }
        if (rules.contains(FailureRule.MISSED)) {
            FailureText.misses(first(client::misses, now.missed() - before.missed()), problems);
        }
        if (rules.contains(FailureRule.CALLS) && grown("DIFFERENT", before.calls(), now.calls()) > 0) {
            FailureText.calls(
                    client.verdicts().stream()
                            .filter(verdict -> !verdict.calls().isEmpty() && calls.add(verdict.exchange()))
                            .toList(),
                    problems);
        }
        Set<String> addresses = reached.get();
        if (rules.contains(FailureRule.REACHED) && !addresses.isEmpty()) {
            problems.add("REACHED  debug had a connection to an upstream: " + String.join(", ", addresses));
        }
        return problems;
    }

    private static List<ExchangeVerdict> newest(
            Supplier<List<ExchangeVerdict>> verdicts, String kind, ComparisonCounts before, ComparisonCounts now) {
        return first(verdicts, grown(kind, before.verdicts(), now.verdicts()));
    }

    private static long grown(String key, Map<String, Long> before, Map<String, Long> now) {
        return now.getOrDefault(key, 0L) - before.getOrDefault(key, 0L);
    }

    private static <T> List<T> first(Supplier<List<T>> all, long count) {
        return count <= 0 ? List.of() : all.get().stream().limit(count).toList();
    }

    /** The counters once nothing moves any more, or when the time is over. */
    private ComparisonCounts settled() {
        long begin = System.nanoTime();
        ComparisonCounts last = client.status();
        int same = 0;
        while (same < SETTLED_POLLS && System.nanoTime() - begin < patience.toNanos()) {
            pause();
            ComparisonCounts now = client.status();
            boolean awaited = now.judged() == mark.judged() && System.nanoTime() - begin < FIRST_EXCHANGE.toNanos();
            same = now.equals(last) && now.isSettled() && !awaited ? same + 1 : 0;
            last = now;
        }
        return last;
    }

    private static void pause() {
        try {
            Thread.sleep(POLL.toMillis());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }
}
