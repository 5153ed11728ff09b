package dev.understudy.sidecar.resync;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.sidecar.inbound.LinkConfig;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Re-synchronises one debug JVM when it is due, and keeps the session's epochs. Thread-safe.
 *
 * <p>What is done takes a thread of its own; whatever comes of it, the debug side goes on afterwards.
 */
public final class Resync implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Resync.class);
    private static final int MOST_KEPT = 1000;
    private static final int LONGEST_PROBLEM = 500;

    /** The debug JVM, and the way to it. */
    public interface DebugSide {
        /** Its name. */
        String name();

        /** Where it listens. */
        SocketAddress address();

        /** All that was counted of it. */
        ResyncStanding counted();

        /**
         * Ends all its lanes and forgets what was known of its state.
         *
         * @param hold whether what clients send from now on waits for it; else that isn't copied
         */
        void cut(boolean hold);

        /**
         * It gets clients' input again, if nobody has decided otherwise meanwhile.
         *
         * @param inStep whether all that should bring it into production's state was done
         */
        void goOn(boolean inStep);
    }

    private final ResyncConfig config;
    private final Triggers triggers;
    private final DebugSide debug;
    private final List<Step> steps;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread created = new Thread(work, "understudy-resync");
        created.setDaemon(true);
        return created;
    });

    private final Deque<Epoch> past = new ArrayDeque<>(); // guarded by this, as all below
    private Epoch current;
    private ResyncStanding atBegin = ResyncStanding.NONE;
    private long begunNanos;
    private boolean running;
    private String patch = "";
    private long done;
    private long failed;

    /**
     * The session's first epoch begins.
     *
     * @param aggregator what answers this debug JVM's calls; its address is "" if nothing does
     * @param masking what isn't told of what went wrong
     * @param nanos of now, as in {@link #look}
     */
    public Resync(
            ResyncConfig config, LinkConfig aggregator, Masking masking, DebugSide debug, long nanos, long wallMillis) {
        this(config, config.steps(aggregator, masking), debug, nanos, wallMillis);
    }

    Resync(ResyncConfig config, List<Step> steps, DebugSide debug, long nanos, long wallMillis) {
        this.config = config;
        this.triggers = new Triggers(config);
        this.steps = List.copyOf(steps);
        this.debug = debug;
        this.current = new Epoch(1, Cause.START, wallMillis, 0, "", ResyncStanding.NONE, patch);
        this.begunNanos = nanos;
    }

    /** Begins another epoch if one is due; called at a steady pace. */
    public synchronized void look(long nanos, long wallMillis) {
        if (!running && config.isPossible()) {
            Cause cause = triggers.due(debug.counted().since(atBegin), Duration.ofNanos(nanos - begunNanos));
            if (cause != null) {
                begin(cause, nanos, wallMillis);
            }
        }
    }

    /** Begins another epoch; false if nothing can be done, or one is just beginning. */
    public synchronized boolean ask(long nanos, long wallMillis) {
        if (running || !config.isPossible()) {
            return false;
        }
        begin(Cause.ASKED, nanos, wallMillis);
        return true;
    }

    /**
     * The debug JVM runs with another patch from now on, or with none if {@code id} is "": another epoch begins, and
     * nothing is cut. What is brought back into production's state just now begins with it.
     */
    public synchronized void patched(String id, long nanos, long wallMillis) {
        if (id.equals(patch)) {
            return;
        }
        patch = id;
        if (!running) {
            next(new Epoch(current.number() + 1, Cause.PATCHED, wallMillis, 0, "", ResyncStanding.NONE, id), nanos);
        }
    }

    /** Whether anything is set that could be done. */
    public boolean isPossible() {
        return config.isPossible();
    }

    /** The debug JVM's name. */
    public String debug() {
        return debug.name();
    }

    /** All epochs, the newest at the end; of very many the oldest are left out. */
    public synchronized List<Epoch> epochs() {
        List<Epoch> all = new ArrayList<>(past);
        all.add(current());
        return all;
    }

    /** The one that lasts. */
    public synchronized Epoch current() {
        ResyncStanding counted = debug.counted().since(atBegin);
        return new Epoch(
                current.number(),
                current.cause(),
                current.fromMillis(),
                current.tookMillis(),
                current.problem(),
                counted,
                current.patch());
    }

    /** How often it was done. */
    public synchronized long done() {
        return done;
    }

    /** How often it was tried in vain. */
    public synchronized long failed() {
        return failed;
    }

    /** Lets what is going on end where it is. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void begin(Cause cause, long nanos, long wallMillis) {
        Step.Occasion occasion =
                new Step.Occasion(debug.name(), debug.address(), current.number() + 1, cause, nanos, config.timeout());
        try {
            thread.execute(() -> run(occasion, nanos));
        } catch (RejectedExecutionException stopped) {
            return;
        }
        running = true;
        LOG.info("debug JVM {}: epoch {} begins ({})", occasion.debug(), occasion.epoch(), cause);
        next(new Epoch(occasion.epoch(), cause, wallMillis, -1, "", ResyncStanding.NONE, patch), nanos);
    }

    private void next(Epoch epoch, long nanos) {
        past.add(current());
        if (past.size() > MOST_KEPT) {
            past.remove();
        }
        current = epoch;
        atBegin = debug.counted();
        begunNanos = nanos;
    }

    private void run(Step.Occasion occasion, long begun) {
        String problem = "unknown";
        try {
            debug.cut(config.hold());
            for (Step step : steps) {
                step.run(occasion);
            }
            problem = "";
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            problem = "the sidecar stopped";
        } catch (Throwable failure) {
            problem = failure instanceof IOException ? String.valueOf(failure.getMessage()) : failure.toString();
            LOG.warn(
                    "debug JVM {}: what should have brought it back into production's state failed: {}",
                    occasion.debug(),
                    problem);
        } finally {
            try {
                ended(problem.substring(0, Math.min(problem.length(), LONGEST_PROBLEM)), begun);
            } finally {
                debug.goOn(problem.isEmpty());
            }
        }
    }

    private synchronized void ended(String problem, long begun) {
        running = false;
        long took = (System.nanoTime() - begun) / 1_000_000;
        current = new Epoch(
                current.number(), current.cause(), current.fromMillis(), took, problem, ResyncStanding.NONE, patch);
        // what the lanes that were cut were still judged by belongs to the epoch before
        Epoch before = past.removeLast();
        ResyncStanding late = debug.counted().since(atBegin);
        past.add(new Epoch(
                before.number(),
                before.cause(),
                before.fromMillis(),
                before.tookMillis(),
                before.problem(),
                before.counted().plus(late),
                before.patch()));
        atBegin = debug.counted();
        if (problem.isEmpty()) {
            done++;
        } else {
            failed++;
        }
        LOG.info("debug JVM {}: epoch {} goes on, {} ms later", debug.name(), current.number(), took);
    }
}
