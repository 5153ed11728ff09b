package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.journal.Reason;
import dev.understudy.aggregator.journal.past.NearForm;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The latest calls of the debug JVM, and why each got what it got: a ring, in which the oldest makes room. All calls of
 * the run are counted by their kind.
 *
 * <p>Safe for all threads: guarded by {@code this}, for as long as it takes to put one reference into the ring.
 */
public final class Matches {
    private static final int KEPT = 1_024;

    private final InstantSource clock;
    private final Consumer<Matched> told;
    private final CallTally<Matched> kinds = new CallTally<>();
    private final @Nullable Matched[] ring = new Matched[KEPT];
    private long last;

    /** @param told is told of each; on the thread that answers the call, which it must not hold up */
    public Matches(InstantSource clock, Consumer<Matched> told) {
        this.clock = clock;
        this.told = told;
    }

    /** What became of a call. */
    public enum Outcome {
        REPLAYED,
        /** A reply that was given before: the last of its form, or that of an exchange which is run again. */
        REPEATED,
        /** It has no twin, and got production's last reply of its kind. */
        BACKGROUND,
        /** Nothing recorded fitted, and a stub answered. */
        STUBBED,
        /** Nothing recorded fitted, and the real upstream answered. */
        LIVE,
        /** Nothing recorded fitted, and a stand-in answered. */
        STANDIN,
        /** It was given a fault on purpose instead of a reply. */
        FAULT,
        MISSED
    }

    /**
     * One call.
     *
     * @param id counts from 1
     * @param reason why it got this reply; null if it got none, or one that was used already
     * @param recorded what it got; null if nothing
     * @param why it got nothing; null if it got something
     * @param stub the stub that answered it; null if none did
     * @param nearest if it got nothing: recorded forms that are like it
     * @param faults the rules by which it was given faults on purpose
     */
    public record Matched(
            long id,
            Instant at,
            String upstream,
            Form form,
            Outcome outcome,
            @Nullable Reason reason,
            @Nullable Source recorded,
            long waitedNanos,
            @Nullable String why,
            @Nullable String stub,
            List<Near> nearest,
            List<String> faults) {}

    /** A recorded exchange, without its reply. */
    public record Source(long id, long connection, @Nullable String trace) {}

    /**
     * A recorded form that isn't the one asked for.
     *
     * @param asked what stands in the request where the recorded one has {@code recorded}
     * @param differs which parts differ, by name; empty if they aren't known
     */
    public record Near(String form, String asked, String recorded, List<String> differs) {

        /** What is left of both when what they have in common at their ends is taken off. */
        static Near of(String asked, NearForm near) {
            String recorded = near.text();
            int shorter = Math.min(asked.length(), recorded.length());
            int start = 0;
            while (start < shorter && asked.charAt(start) == recorded.charAt(start)) {
                start++;
            }
            int end = 0;
            while (end < shorter - start
                    && asked.charAt(asked.length() - 1 - end) == recorded.charAt(recorded.length() - 1 - end)) {
                end++;
            }
            return new Near(
                    recorded,
                    asked.substring(start, asked.length() - end),
                    recorded.substring(start, recorded.length() - end),
                    near.differs());
        }
    }

    /** The latest calls, newest first. */
    public synchronized List<Matched> latest(int limit) {
        List<Matched> latest = new ArrayList<>();
        for (long id = last; id > 0 && latest.size() < limit; id--) {
            Matched matched = ring[(int) (id % KEPT)];
            if (matched == null || matched.id() != id) {
                break;
            }
            latest.add(matched);
        }
        return latest;
    }

    /** The call with this number; null if it isn't kept any more, or wasn't made yet. */
    public @Nullable Matched get(long id) {
        Matched matched;
        synchronized (this) {
            matched = id > 0 ? ring[(int) (id % KEPT)] : null;
        }
        return matched != null && matched.id() == id
                ? matched
                : kinds.examples().stream()
                        .filter(example -> example.id() == id)
                        .findFirst()
                        .orElse(null);
    }

    /** The calls of the whole run by form, outcome and reason. */
    public CallTally<Matched> kinds() {
        return kinds;
    }

    void hit(String upstream, Form asked, Match.Hit<?> hit, List<String> faults) {
        Recorded<?> recorded = hit.recorded();
        Object trace = recorded.form().trace();
        Source source = new Source(recorded.id(), recorded.connection(), trace == null ? null : trace.toString());
        Outcome outcome = hit.repeated() ? Outcome.REPEATED : Outcome.REPLAYED;
        add(upstream, asked, outcome, hit.reason(), source, hit.waitedNanos(), null, null, List.of(), faults);
    }

    void background(String upstream, Form asked, Recorded<?> recorded, long waitedNanos, List<String> faults) {
        Source source = new Source(recorded.id(), recorded.connection(), null);
        add(upstream, asked, Outcome.BACKGROUND, null, source, waitedNanos, null, null, List.of(), faults);
    }

    void miss(String upstream, Form asked, Match.Miss<?> miss, List<String> faults) {
        List<Near> nearest = miss.near().stream()
                .map(near -> Near.of(miss.form().text(), near))
                .toList();
        add(upstream, asked, Outcome.MISSED, null, null, miss.waitedNanos(), miss.why(), null, nearest, faults);
    }

    void stubbed(String upstream, Form asked, Match.Miss<?> miss, String stub, List<String> faults) {
        add(upstream, asked, Outcome.STUBBED, null, null, miss.waitedNanos(), miss.why(), stub, List.of(), faults);
    }

    /** @param by LIVE or STANDIN */
    void asked(Outcome by, String upstream, Form asked, Match.Miss<?> miss, List<String> faults) {
        add(upstream, asked, by, null, null, miss.waitedNanos(), miss.why(), null, List.of(), faults);
    }

    void faulted(String upstream, Form asked, Injection injection) {
        add(upstream, asked, Outcome.FAULT, null, null, 0, null, null, List.of(), injection.names());
    }

    private void add(
            String upstream,
            Form asked,
            Outcome outcome,
            @Nullable Reason reason,
            @Nullable Source recorded,
            long waitedNanos,
            @Nullable String why,
            @Nullable String stub,
            List<Near> nearest,
            List<String> faults) {
        Instant now = clock.instant();
        Matched matched;
        synchronized (this) {
            last++;
            matched = new Matched(
                    last, now, upstream, asked, outcome, reason, recorded, waitedNanos, why, stub, nearest, faults);
            ring[(int) (last % KEPT)] = matched;
        }
        String by = reason == null ? "" : reason.basis().name() + (reason.guessed() ? "?" : "");
        kinds.add(CallTally.Kind.of(upstream, asked.text(), outcome.name(), why == null ? by : why), now, matched);
        told.accept(matched);
    }
}
