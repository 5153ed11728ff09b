package dev.understudy.relay.ring;

import dev.understudy.relay.tap.TapCarrier;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFeed;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.StreamSupport;

/** The tap process's rings, one for each relay loop. Thread-safe. */
public final class RelayRings {
    private final List<RelayRing> rings;
    private final ControlBlock control;

    private RelayRings(List<RelayRing> rings, ControlBlock control) {
        this.rings = rings;
        this.control = control;
    }

    /**
     * Makes them, with their memory.
     *
     * @param folder where their files are to be, a file system in memory; nothing else is in there
     * @param capacity bytes of each, a power of two from 64 KiB to 1 GiB
     * @throws IOException if there is no room for them
     */
    public static RelayRings create(Path folder, EventExecutorGroup relayLoops, int capacity, ControlBlock control)
            throws IOException {
        List<RelayRing> rings = new ArrayList<>();
        for (EventExecutor loop : relayLoops) {
            rings.add(RelayRing.create(loop, file(folder, rings.size()), capacity));
        }
        return new RelayRings(List.copyOf(rings), control);
    }

    /**
     * How large each ring may be, so that all of them take half of the room at most.
     *
     * @param most bytes of each where there is room enough, a power of two
     * @param room free bytes of the file system that they are to be on
     * @return a power of two, 64 KiB at least, even if there is no room for that
     */
    public static int fitting(int most, EventExecutorGroup relayLoops, long room) {
        long loops = StreamSupport.stream(relayLoops.spliterator(), false).count();
        long each = Math.max(room / 2 / loops - RingFile.HEADER, RingFile.SMALLEST);
        return (int) Math.min(most, Long.highestOneBit(each));
    }

    /** The file of one of them, counted from 0. */
    static Path file(Path folder, int number) {
        return folder.resolve("ring-" + number);
    }

    /**
     * The carrier of one listener, by its number in the control block.
     *
     * @param losses counts what finds no room
     */
    public TapCarrier carrier(int listener, RingLosses losses) {
        return (connection, failures) -> open(connection, listener, losses, failures);
    }

    private TapFeed open(TapConnection connection, int listener, RingLosses losses, LongAdder failures) {
        for (RelayRing ring : rings) {
            if (ring.isCurrent()) {
                return RingFeed.open(connection, control, listener, ring, losses, failures);
            }
        }
        throw new IllegalStateException("not on a relay loop");
    }
}
