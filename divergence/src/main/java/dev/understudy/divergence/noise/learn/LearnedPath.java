package dev.understudy.divergence.noise.learn;

import org.jspecify.annotations.Nullable;

/** What is known of one place of one route. Guarded by {@link LearnedNoise}. */
final class LearnedPath {
    /** In so many exchanges it has to be seen. */
    static final int SAMPLES = 50;

    private static final int TRIES = 2000;
    private static final double SHARE = 0.8;
    private static final int BREAKS = 20;

    private final NoiseKind kind;
    private Evidence evidence;
    private long since;
    private boolean refused;
    private boolean learned;
    private long seen;
    private long fired;
    private long broken;
    private int brokenInRow;

    /** @param since how many exchanges of its route had been compared before it was first seen, or is seen anew */
    LearnedPath(NoiseKind kind, long since, boolean refused) {
        this.kind = kind;
        this.evidence = kind.newEvidence();
        this.since = since;
        this.refused = refused;
    }

    /** Whether a difference there is noise by what has been learned. */
    boolean overlooks(Sighting sighting) {
        return learned && NoiseClassifier.fits(kind, sighting) && evidence.fits(sighting);
    }

    boolean isLearned() {
        return learned;
    }

    boolean isLearning() {
        return !learned && !refused;
    }

    /** Whether a difference of that kind there could be noise, of which more is to be seen first. */
    boolean mayLearn(@Nullable NoiseKind looks) {
        return !refused && !learned && looks == kind;
    }

    /** Something stands there that has another kind. */
    void refuse() {
        if (!learned) {
            refused = true;
        }
    }

    void observe(Sighting sighting) {
        if (!learned && !refused) {
            refused = !evidence.observe(sighting);
        }
    }

    /** All of an exchange has been observed, with which so many of its route have been compared. */
    void seen(long compared) {
        if (learned || refused) {
            return;
        }
        seen++;
        boolean steady = kind.maySetIn() || seen >= SHARE * (compared - since);
        learned = seen >= SAMPLES && steady && evidence.proven();
        refused = !learned && seen >= TRIES;
    }

    /** Its debug side is another process. */
    void debugBegunAnew() {
        evidence.debugBegunAnew();
        brokenInRow = 0;
    }

    void fired() {
        fired++;
        brokenInRow = 0;
    }

    /** After so many in a row, a counter that was set back, say, is learned anew, and all is reported meanwhile. */
    void broken(long compared) {
        broken++;
        if (++brokenInRow >= BREAKS) {
            learned = false;
            evidence = kind.newEvidence();
            since = compared;
            seen = 0;
            brokenInRow = 0;
        }
    }

    Learned read(String route, String path) {
        return new Learned(route, path, kind, seen, fired, broken);
    }
}
