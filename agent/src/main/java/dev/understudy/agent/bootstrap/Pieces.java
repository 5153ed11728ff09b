package dev.understudy.agent.bootstrap;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What other threads observe for one exchange, each at a place of its own, until the exchange's own thread puts all of
 * it together.
 *
 * <p>When the exchange ends, a piece that is still in work counts up to that moment. Safe for any threads; never waits.
 */
final class Pieces {
    static final int MOST = 1024;

    private static final int IN_WORK = 0;
    /** Its own thread has ended it, and what was found is kept. */
    private static final int ENDED = 1;
    /** The exchange's thread is reading it. */
    private static final int BEING_READ = 2;
    /** The exchange's thread has read it; its own thread clears the place. */
    private static final int READ = 3;
    /** Its own thread has ended it meanwhile; the exchange's thread clears the place. */
    private static final int LEFT = 4;

    // no atomic objects: as long as an exchange is remembered they would be counted among the application's
    private static final AtomicReferenceFieldUpdater<Pieces, @Nullable Piece> LAST =
            AtomicReferenceFieldUpdater.newUpdater(Pieces.class, Piece.class, "last");
    private static final AtomicIntegerFieldUpdater<Pieces> COUNT =
            AtomicIntegerFieldUpdater.newUpdater(Pieces.class, "count");

    private volatile @Nullable Piece last;

    @SuppressWarnings("unused") // by COUNT
    private volatile int count;

    private volatile boolean missed;
    private volatile boolean over;

    /** Something isn't observed that would have been. */
    void miss() {
        missed = true;
    }

    /** A thread that has claimed the place begins there; null if the exchange is over or has too many. */
    @Nullable
    Piece begin(Observation place) {
        if (COUNT.getAndIncrement(this) >= MOST) {
            missed = true;
            return null;
        }
        while (!over) {
            Piece before = last;
            Piece piece = new Piece(place, before);
            if (LAST.compareAndSet(this, before, piece)) {
                return piece; // one that comes just after the end is read by nobody, and ends as any other
            }
        }
        return null;
    }

    /** Its thread ends it. */
    static void end(Piece piece) {
        piece.found = piece.place.found();
        piece.whole = piece.place.isWhole();
        if (!piece.goes(IN_WORK, ENDED) && piece.goes(BEING_READ, LEFT)) {
            return;
        }
        piece.place.release();
    }

    /** The exchange is over: all that was found goes to {@code own}, and nothing more is taken. */
    void close(Found own) {
        over = true;
        Piece piece = LAST.getAndSet(this, null);
        if (missed) {
            own.miss();
        }
        for (; piece != null; piece = piece.before) {
            if (piece.goes(IN_WORK, BEING_READ)) {
                own.takeIn(piece.place.found(), piece.place.isWhole());
                if (!piece.goes(BEING_READ, READ)) {
                    piece.place.release();
                }
            } else {
                own.takeIn(piece.found, piece.whole);
            }
        }
    }

    /** Where all of it comes together. */
    interface Found {
        /** Adds what was found by one thread, which is all that there was to be found if {@code all}. */
        void takeIn(long[] found, boolean all);

        /** Something was left out. */
        void miss();
    }

    /** What one thread observes of one task. */
    static final class Piece {
        private static final AtomicIntegerFieldUpdater<Piece> STATE =
                AtomicIntegerFieldUpdater.newUpdater(Piece.class, "state");

        final Observation place;

        private final @Nullable Piece before;

        @SuppressWarnings("unused") // by STATE
        private volatile int state = IN_WORK;

        private long[] found = {};
        private boolean whole = true;

        private Piece(Observation place, @Nullable Piece before) {
            this.place = place;
            this.before = before;
        }

        private boolean goes(int from, int to) {
            return STATE.compareAndSet(this, from, to);
        }
    }
}
