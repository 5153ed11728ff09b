package dev.understudy.sidecar.tee;

import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Gives the connections of one listener to its debug JVMs, as the switch and the sampling have it. Thread-safe. */
public final class Tee implements TapFactory {
    private final TeeSwitch tee;
    private final List<? extends TeeTarget> targets;
    private final LongAdder leftOut = new LongAdder();

    /** @param targets at least one */
    public Tee(TeeSwitch tee, List<? extends TeeTarget> targets) {
        this.tee = tee;
        this.targets = List.copyOf(targets);
    }

    /** Turns the switch: connections with clients go on as they are. Says whether that changed anything. */
    public boolean turn(TeeMode to) {
        return switched(tee.turn(to, System.nanoTime()), to);
    }

    /**
     * Keeps what clients send from now on, until the moment of a snapshot is known that the debug JVM begins with. Says
     * whether that changed anything.
     */
    public boolean awaitSnapshot() {
        return switched(tee.awaitSnapshot(System.nanoTime()), TeeMode.PAUSED);
    }

    /** Gives the debug JVM what isn't in its snapshot. Says whether that changed anything. */
    public boolean begin(SnapshotMoment moment) {
        return switched(tee.begin(moment, System.nanoTime()), TeeMode.ON);
    }

    private boolean switched(boolean changed, TeeMode to) {
        if (changed) {
            targets.forEach(target -> target.switched(to));
        }
        return changed;
    }

    /** What the switch stands at. */
    public TeeMode mode() {
        return tee.mode();
    }

    /** Whether input is kept until the moment of a snapshot is known. */
    public boolean awaitsSnapshot() {
        return tee.awaitsSnapshot();
    }

    /** Chooses what is copied from here on; see {@link TeeSwitch#sample}. Says whether that changed anything. */
    public boolean sample(Sampling chosen) {
        boolean changed = !tee.sampling().equals(chosen);
        tee.sample(chosen);
        return changed;
    }

    /** Which part is copied. */
    public Sampling sampling() {
        return tee.sampling();
    }

    /** Connections that weren't copied because the sampling left them out. */
    public long leftOut() {
        return leftOut.sum();
    }

    @Override
    public int epoch() {
        return tee.epoch();
    }

    @Override
    public @Nullable Tap open(TapConnection connection) {
        return taps(connection, target -> target.open(connection));
    }

    @Override
    public @Nullable Tap join(TapConnection connection, boolean untouched) {
        return taps(connection, target -> untouched ? target.open(connection) : target.join(connection));
    }

    @Override
    public void unjoined(TapConnection connection) {
        targets.forEach(target -> target.unjoined(connection));
    }

    private @Nullable Tap taps(TapConnection connection, Function<TeeTarget, @Nullable Tap> one) {
        if (!tee.sampling().takesConnection(connection.id())) {
            leftOut.increment();
            return null;
        }
        if (targets.size() == 1) {
            return one.apply(targets.get(0));
        }
        List<Tap> taps = new ArrayList<>(targets.size());
        for (TeeTarget target : targets) {
            Tap tap = one.apply(target);
            if (tap != null) {
                taps.add(tap);
            }
        }
        return taps.isEmpty() ? null : new FanOut(connection, taps);
    }
}
