package dev.understudy.aggregator.match;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * For which exchange each connection of the debug JVM asks, by its agent's word.
 *
 * <p>The agent tells of each write on a connection before that happens, by another way than the write itself, so either
 * may come first. A client that waits for its reply writes nothing else meanwhile: the last write that was told of is
 * the request's own if it is later than our last answer, or once all until the request has been told of.
 *
 * <p>Bounded. Safe for all threads: guarded by {@code this}; calls nobody.
 */
public final class CallerNotes {
    private static final int PROCESSES = 16;
    private static final int CONNECTIONS = 65_536;
    private static final long LINK_LOST = TimeUnit.SECONDS.toNanos(10);

    /** A port isn't another connection's so soon, nor another process's. */
    private static final long PORT_REUSE = TimeUnit.SECONDS.toNanos(2);

    private static final long TWO_OF_ONE_PORT = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier clock;
    private final Map<Ports, Note> notes = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Ports, Note> eldest) {
            return size() > CONNECTIONS;
        }
    };
    private final Map<String, AgentProcess> processes = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, AgentProcess> eldest) {
            return size() > PROCESSES;
        }
    };

    /** Written under the lock; read without it by those who would find nothing. */
    private volatile boolean ever;

    /** @param clock that of the journals */
    public CallerNotes(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * What is known of a request.
     *
     * @param settled false if it may be known in a moment
     * @param noted whether the agent tells of this connection
     * @param trace that of the exchange that it is asked for; null if it isn't known, or there is none
     */
    public record Said(
            boolean settled, boolean noted, @Nullable TraceId trace) {
        static final Said NOTHING = new Said(true, false, null);
        static final Said NOT_YET = new Said(false, false, null);
    }

    /** A connection, as long as it is open. */
    private record Ports(int port, int to) {}

    /** The last write on a connection. */
    private record Note(
            AgentProcess process, long nanos, @Nullable TraceId trace, long doubtedUntil) {

        /** Whether it is one on a connection that was opened then, and the last that there was. */
        boolean counts(long opened, long now) {
            return nanos >= opened - PORT_REUSE && nanos > process.lostUntil && now - doubtedUntil >= 0;
        }
    }

    /** One debug JVM. */
    private static final class AgentProcess {
        private final PeerClock clock = new PeerClock();
        private long heard;
        private long toldUntil = Long.MIN_VALUE;
        private long lostUntil = Long.MIN_VALUE;
    }

    /** The agent has told of these, or that there is nothing new. */
    public synchronized void told(CallerNews news) {
        long now = clock.getAsLong();
        AgentProcess process = processes.computeIfAbsent(news.run(), first -> new AgentProcess());
        process.clock.heard(news.sent(), news.roundTrip(), news.sameClock(), now);
        process.heard = now;
        process.toldUntil = process.clock.early(news.toldUntil());
        if (news.lostUntil() != null) {
            process.lostUntil = news.lostUntil() + process.clock.shift();
        }
        for (CallerNews.Write write : news.writes()) {
            Note before = notes.get(new Ports(write.port(), write.to()));
            boolean another = before != null && before.process != process && now - before.process.heard < LINK_LOST;
            long doubted = another ? now + TWO_OF_ONE_PORT : before == null ? now : before.doubtedUntil;
            notes.put(
                    new Ports(write.port(), write.to()),
                    new Note(process, process.clock.early(write.nanos()), write.trace(), doubted));
        }
        ever = true;
    }

    /** Whether an agent tells. */
    public boolean linked() {
        return ever && heardLately();
    }

    private synchronized boolean heardLately() {
        long now = clock.getAsLong();
        return processes.values().stream().anyMatch(process -> now - process.heard < LINK_LOST);
    }

    /**
     * For which exchange a request is asked.
     *
     * @param port its connection's, at the debug JVM
     * @param to the port that the debug JVM opened the connection to
     * @param opened when that was opened
     * @param answered when something was written to it last; before {@code opened} if nothing was
     * @param nanos when the request came
     */
    public Said of(int port, int to, long opened, long answered, long nanos) {
        return linked() ? look(new Ports(port, to), opened, answered, nanos) : Said.NOTHING;
    }

    private synchronized Said look(Ports ports, long opened, long answered, long nanos) {
        long now = clock.getAsLong();
        Note last = notes.get(ports);
        Note note = last == null || !last.counts(opened, now) ? null : last;
        if (note != null && note.nanos > answered) {
            return new Said(true, true, note.trace);
        }
        boolean all = processes.values().stream()
                .filter(process -> now - process.heard < LINK_LOST)
                .allMatch(process -> process.toldUntil >= nanos);
        if (!all) {
            return Said.NOT_YET;
        }
        return note == null ? Said.NOTHING : new Said(true, true, note.trace);
    }
}
