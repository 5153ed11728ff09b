package dev.understudy.relay.split;

import dev.understudy.relay.RelayMeters;
import dev.understudy.relay.ring.ControlBlock;
import dev.understudy.relay.ring.LaneRings;
import dev.understudy.relay.ring.PublishedRelay;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a tap process relays, in its child: calls the taps of each listener with what the rings hold, and asks for a
 * listener's bytes as long as its taps want any. Thread-safe.
 */
public final class TapSource implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TapSource.class);

    private final ControlBlock control;
    private final LaneRings rings;
    private final @Nullable TapFactory[] taps;
    private final boolean[] wanted;
    private final long[] bytesBefore;
    private final int restarts;

    private TapSource(Path directory, List<String> identities, ByteBufAllocator allocator) throws IOException {
        control = ControlBlock.open(directory.resolve(TapProcess.CONTROL));
        int listeners = identities.size();
        if (control.listeners() != listeners) {
            throw changed(listeners + " listeners (expected: " + control.listeners());
        }
        for (int number = 0; number < listeners; number++) {
            if (!control.isOf(number, identities.get(number))) {
                throw changed("listener " + identities.get(number) + " (expected: another one in its place");
            }
        }
        restarts = control.lives();
        taps = new TapFactory[listeners];
        wanted = new boolean[listeners];
        bytesBefore = new long[listeners];
        for (int number = 0; number < listeners; number++) {
            bytesBefore[number] = relay(number).bytes(Direction.REQUEST);
        }
        rings = LaneRings.open(directory, this::tapsOf, this::unknown, this::want, allocator);
    }

    private static IOException changed(String found) {
        return new IOException("the settings were changed since the start: " + found
                + ", as the tap process has); start again, or take the change back");
    }

    /**
     * Opens rings and control block; nothing is read before {@link #start}.
     *
     * @param directory where the tap process has them
     * @param identities of the listeners, {@link TapListener#identity}, in the order of the tap process
     * @param child what this process is called in a log line, such as "lane process"
     * @throws IOException if they aren't there, or the tap process has other listeners; the message says which
     */
    public static TapSource open(Path directory, List<String> identities, ByteBufAllocator allocator, String child)
            throws IOException {
        TapSource source = new TapSource(directory, identities, allocator);
        if (source.restarts > 0) {
            LOG.warn(
                    "the {} was started again, {} times up to now: what the last one had was lost",
                    child,
                    source.restarts);
        }
        return source;
    }

    /**
     * Has these taps called for a listener, by its number.
     *
     * @param addresses its targets, as they stand in the settings, for the meters
     * @return what the tap process says of the listener
     */
    public PublishedRelay listen(
            int number, String name, TapFactory factory, MeterRegistry registry, List<String> addresses) {
        taps[number] = factory;
        PublishedRelay relay = relay(number);
        RelayMeters.register(registry, name, relay, addresses);
        TapMeters.register(registry, name, relay);
        return relay;
    }

    /** Begins to read; from now on this counts as a life of the child. */
    public void start(MeterRegistry registry) {
        control.addLife();
        TapMeters.register(registry, rings);
        TapMeters.register(registry, control);
        wantAnew();
        rings.start();
    }

    private @Nullable TapFactory tapsOf(int number) {
        return number < taps.length ? taps[number] : null;
    }

    private void unknown(int number, long bytes) {
        if (number < taps.length) {
            relay(number).addUnknown(bytes);
        }
    }

    /**
     * Also what the last child had asked for is asked for anew: this one knows none of its connections. The first one
     * finds in the rings how they began.
     */
    private synchronized void wantAnew() {
        for (int number = 0; number < taps.length; number++) {
            wanted[number] = restarts == 0 && control.wanted(number) != ControlBlock.OFF;
            if (!wanted[number]) {
                control.stop(number);
            }
        }
        want();
    }

    /** Asks for what is wanted now; at each turn of a switch, and by the thread that reads. */
    public synchronized void want() {
        for (int number = 0; number < taps.length; number++) {
            TapFactory factory = taps[number];
            boolean now = factory != null && isOn(factory);
            if (now != wanted[number]) {
                wanted[number] = now;
                if (now) {
                    control.want(number);
                } else {
                    control.stop(number);
                }
            }
        }
    }

    private static boolean isOn(TapFactory factory) {
        TapFactory beside = factory.beside();
        return factory.epoch() != TapFactory.OFF || (beside != null && beside.epoch() != TapFactory.OFF);
    }

    /** What the tap process says of a listener, by its number. */
    public PublishedRelay relay(int number) {
        return new PublishedRelay(control, number);
    }

    /** How many children there were before this one. */
    public int restarts() {
        return restarts;
    }

    /** What clients had sent to a listener, by its number, before this child was started; bytes. */
    public long requestBytesBefore(int number) {
        return bytesBefore[number];
    }

    /** Up to when taps have been told all, as {@link LaneRings#handedOver} says it. */
    public long handedOver() {
        return rings.handedOver();
    }

    /** How many rings there are. */
    public int rings() {
        return rings.count();
    }

    /** What an earlier child has kept of a listener; "" if there was none. */
    public String kept(int number) {
        return control.kept(number);
    }

    /** Keeps it for the child that follows this one; false if there is no room for that much. */
    public synchronized boolean keep(int number, String text) {
        return control.keep(number, text);
    }

    /** Reads what is there, for some seconds at most, and then no more. */
    @Override
    public void close() {
        rings.close();
    }
}
