package dev.understudy.agent.caller;

import dev.understudy.agent.bootstrap.CallNotes;
import dev.understudy.agent.export.OwnThreads;
import dev.understudy.agent.export.SidecarClient;
import dev.understudy.agent.export.Stderr;
import dev.understudy.agent.export.TlsSettings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Sends the aggregator the notes of who makes calls, at once and in order: one message at a time, with all that has
 * come meanwhile.
 *
 * <p>Its replies say of which ports notes are wanted; before the first nothing is noted. A message that isn't taken is
 * lost, and the next is tried a second later. When nothing happens messages without notes say so, for calls wait in the
 * aggregator until it knows: the first after {@link #FIRST_PULSE}, each further one after twice as long, up to {@link
 * #PULSE}.
 */
public final class CallerLink implements Runnable {
    private static final String PATH = "/v1/callers";
    private static final int MOST_REPLY = 64 * 1024;
    private static final int COMPLAINED = 2;
    private static final long FIRST_PULSE = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long PULSE = TimeUnit.SECONDS.toNanos(1);

    private final String aggregator;
    private final SidecarClient client;
    private final Consumer<String> line;
    private final Consumer<Set<Integer>> debugPorts;
    private final CallBacklog backlog = new CallBacklog();
    private final CallBatchWriter writer = new CallBatchWriter();
    private Set<Integer> noted = Set.of();
    private boolean up;
    private int failures;
    private boolean welcomed;
    private long roundTrip;

    /**
     * A link to the aggregator's control port at that URL; {@code line} takes what the operator should know.
     *
     * @param debugPorts gets those of each reply at which the aggregator answers the debug JVM
     */
    CallerLink(String aggregator, SidecarClient client, Consumer<String> line, Consumer<Set<Integer>> debugPorts) {
        this.aggregator = aggregator;
        this.client = client;
        this.line = line;
        this.debugPorts = debugPorts;
    }

    /**
     * Starts a thread that sends to the control port at {@code aggregator}; does nothing if that is empty.
     *
     * @param token of that port; {@code ""} for the one that an aggregator of the same user has generated
     * @param debugPorts gets the ports at which the aggregator answers the debug JVM, with each of its replies
     * @throws GeneralSecurityException if the JVM has no TLS, or a file of it can't be read; the message names it
     */
    public static void start(
            String aggregator, String token, TlsSettings tls, OwnThreads threads, Consumer<Set<Integer>> debugPorts)
            throws GeneralSecurityException {
        if (!aggregator.isEmpty()) {
            SidecarClient client = new SidecarClient(aggregator, token, tls, threads);
            threads.start("callers", new CallerLink(aggregator, client, Stderr::line, debugPorts));
        }
    }

    @Override
    public void run() {
        long pulse = FIRST_PULSE;
        try {
            while (true) {
                if (up && backlog.isEmpty()) {
                    CallNotes.await(pulse);
                }
                CallBatch batch = backlog.next();
                pulse = batch.calls.isEmpty() ? Math.min(2 * pulse, PULSE) : FIRST_PULSE;
                if (!send(batch)) {
                    backlog.lost(batch);
                    LockSupport.parkNanos(PULSE);
                }
            }
        } catch (InterruptedException end) {
            CallNotes.keep(Set.of());
        }
    }

    private boolean send(CallBatch batch) throws InterruptedException {
        try {
            long sent = System.nanoTime();
            byte[] reply = client.post(PATH, writer.write(batch, sent, roundTrip), MOST_REPLY);
            learn(System.nanoTime() - sent);
            DebugPorts ports = DebugPorts.read(reply);
            backlog.sent();
            debugPorts.accept(ports.answered);
            keep(ports.noted);
            return succeeded();
        } catch (IOException unreachable) {
            return failed(String.valueOf(unreachable.getMessage()));
        } catch (RuntimeException | Error defect) {
            return failed(defect.toString());
        }
    }

    private void keep(Set<Integer> wanted) {
        Set<Integer> more = new HashSet<>(wanted);
        more.removeAll(noted);
        if (!wanted.equals(noted)) {
            CallNotes.keep(wanted);
            noted = wanted;
        }
        if (!more.isEmpty()) {
            backlog.lost(); // what was written to these before
        }
    }

    /** The shortest lately; it is forgotten by and by, should the way become a longer one. */
    private void learn(long took) {
        roundTrip = roundTrip == 0 ? took : Math.min(took, roundTrip + roundTrip / 64);
    }

    private boolean succeeded() {
        if (!welcomed) {
            welcomed = true;
            line.accept("the aggregator " + aggregator + " knows which exchange makes a call");
        }
        failures = 0;
        up = true;
        return true;
    }

    /** A single one is no news: the JVM's first request takes its time. */
    private boolean failed(String why) {
        if (++failures == COMPLAINED) {
            welcomed = false;
            line.accept("the aggregator " + aggregator + " doesn't know which exchange makes a call: " + why);
        }
        up = false;
        return false;
    }
}
