package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Some of many failing runs: each is kept with the same probability, as long as they are of like sizes. Not for several
 * threads.
 */
final class FailureSample {
    static final int MOST = 2_048;
    /** Numbers that all of them may hold together. */
    static final int ROOM = 1 << 21;

    private final Random random;
    private final List<Run> kept = new ArrayList<>();
    private int room;

    /** @param random chooses which are kept when there are many */
    FailureSample(Random random) {
        this.random = random;
    }

    /** Those that are kept. */
    List<Run> runs() {
        return Collections.unmodifiableList(kept);
    }

    /**
     * One more has failed.
     *
     * @param failed how many have failed with it
     */
    void add(Run run, int failed) {
        boolean fits = kept.size() < MOST && room + run.size() <= ROOM;
        if (fits || kept.isEmpty()) {
            kept.add(run);
            room += run.size();
            return;
        }
        int place = random.nextInt(failed);
        if (place < kept.size()) {
            int roomThen = room - kept.get(place).size() + run.size();
            if (roomThen <= ROOM) {
                kept.set(place, run);
                room = roomThen;
            }
        }
    }
}
