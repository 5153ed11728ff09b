package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.journal.Match;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The debug requests that nothing recorded fitted: the latest ones, all of the run by their kind, and a log line for
 * each form once a minute.
 *
 * <p>Safe for all threads: guarded by {@code this}.
 */
public final class Misses {
    private static final Logger log = LoggerFactory.getLogger(Misses.class);
    private static final int KEPT = 1000;
    private static final int FORMS = 1000;
    private static final long QUIET_MILLIS = 60_000;

    private final InstantSource clock;
    private final ArrayDeque<Missed> latest = new ArrayDeque<>();
    private final CallTally<Missed> kinds = new CallTally<>();
    private final Map<Form, Long> logged = new LinkedHashMap<>();

    public Misses(InstantSource clock) {
        this.clock = clock;
    }

    /** The latest misses, newest first. */
    public synchronized List<Missed> latest(int limit) {
        return latest.stream().limit(limit).toList();
    }

    /** The misses of the whole run by form and reason. */
    public CallTally<Missed> kinds() {
        return kinds;
    }

    /** One that got an error. */
    void add(String upstream, Match.Miss<?> miss) {
        add(upstream, miss, Matches.Outcome.MISSED, miss.why());
    }

    /** One that a stand-in answered, whose reply is no recorded one. */
    void standin(String upstream, Match.Miss<?> miss) {
        add(upstream, miss, Matches.Outcome.STANDIN, miss.why() + "; a stand-in answered");
    }

    private void add(String upstream, Match.Miss<?> miss, Matches.Outcome outcome, String why) {
        Instant now = clock.instant();
        Missed missed = new Missed(upstream, miss.form().text(), why, miss.nearest(), now);
        kinds.add(CallTally.Kind.of(upstream, missed.form(), outcome.name(), why), now, missed);
        if (keep(missed, miss.form(), now.toEpochMilli())) {
            log.warn(
                    "upstream {}: no recorded reply for {}: {}; nearest: {}",
                    upstream,
                    missed.form(),
                    missed.why(),
                    missed.nearest());
        }
    }

    /** Returns whether this form is to be logged. */
    private synchronized boolean keep(Missed missed, Form form, long nowMillis) {
        latest.addFirst(missed);
        if (latest.size() > KEPT) {
            latest.removeLast();
        }
        Long before = logged.get(form);
        if (before != null && nowMillis - before < QUIET_MILLIS) {
            return false;
        }
        logged.remove(form);
        logged.put(form, nowMillis);
        if (logged.size() > FORMS) {
            logged.remove(logged.keySet().iterator().next());
        }
        return true;
    }

    /**
     * One miss, redacted.
     *
     * @param why one sentence for people
     * @param nearest at most three recorded forms, the most similar first
     */
    public record Missed(String upstream, String form, String why, List<String> nearest, Instant at) {}
}
