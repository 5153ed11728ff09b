package dev.understudy.sidecar.verdict;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Differences that wait for the aggregator's word on how many of debug's upstream replies were guesses: a difference
 * that a guess may have made is none of the service's.
 *
 * <p>At most {@value #MOST} wait, each for at most {@link #PATIENCE}; what nobody says anything of has no guesses. For
 * all threads: guarded by {@code this}; callbacks run outside of that, on the thread that brings the word.
 */
public final class GuessCheck implements AutoCloseable {
    static final int MOST = 4_096;

    /** The aggregator compares half a second after both JVMs are done, and is asked at least once a second. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private final OutgoingStore known;
    private final LongSupplier clock;
    private final Map<Long, Question> waiting = new LinkedHashMap<>();
    private boolean closed;

    /**
     * Nothing is asked yet.
     *
     * @param known keeps what the aggregator says, before {@link #said} is called: that may be before the question
     * @param clock nanoseconds, as {@code System.nanoTime()}
     */
    public GuessCheck(OutgoingStore known, LongSupplier clock) {
        this.known = known;
        this.clock = clock;
    }

    /** What has guesses counted. */
    @FunctionalInterface
    public interface Source {
        /** Nobody guesses. */
        Source NONE = (exchange, then) -> then.accept(0);

        /** Tells {@code then}, at once or later and exactly once, how many of an exchange's calls were guessed. */
        void ask(long exchange, IntConsumer then);
    }

    private record Question(long until, IntConsumer then) {}

    /** As {@link Source#ask}. */
    public void ask(long exchange, IntConsumer then) {
        List<Question> unanswered = new ArrayList<>(1);
        synchronized (this) {
            Question question = new Question(clock.getAsLong() + PATIENCE, then);
            if (closed) {
                unanswered.add(question);
            } else {
                waiting.put(exchange, question);
                if (waiting.size() > MOST) {
                    Iterator<Question> all = waiting.values().iterator();
                    unanswered.add(all.next());
                    all.remove();
                }
            }
        }
        release(unanswered);
        Outgoing before = known.of(exchange);
        if (before != null) {
            said(before);
        }
    }

    /** The aggregator has said this of an exchange. */
    public void said(Outgoing outgoing) {
        Question question;
        synchronized (this) {
            question = waiting.remove(outgoing.exchange());
        }
        if (question != null) {
            question.then.accept(outgoing.guesses());
        }
    }

    /** Those that have waited long enough go as they are. */
    public void look() {
        List<Question> unanswered = new ArrayList<>();
        synchronized (this) {
            long now = clock.getAsLong();
            Iterator<Question> all = waiting.values().iterator();
            while (all.hasNext()) {
                Question oldest = all.next();
                if (now - oldest.until < 0) {
                    break;
                }
                unanswered.add(oldest);
                all.remove();
            }
        }
        release(unanswered);
    }

    /** All go as they are, and so does what is asked from now on. */
    @Override
    public void close() {
        List<Question> unanswered;
        synchronized (this) {
            closed = true;
            unanswered = List.copyOf(waiting.values());
            waiting.clear();
        }
        release(unanswered);
    }

    private static void release(List<Question> unanswered) {
        unanswered.forEach(question -> question.then.accept(0));
    }
}
