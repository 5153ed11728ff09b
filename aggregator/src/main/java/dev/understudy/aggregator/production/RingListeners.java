package dev.understudy.aggregator.production;

import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.aggregator.config.UpstreamConfig;
import dev.understudy.relay.RelayStatus;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.ring.PublishedRelay;
import dev.understudy.relay.split.TapListener;
import dev.understudy.relay.split.TapSource;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Listeners of the process that has started this one, by the rings that it appends to. Thread-safe. */
public final class RingListeners implements ProductionSide {
    /** What this process is called in messages. */
    public static final String CHILD = "recorder process";

    private final List<String> names;
    private final TapSource source;

    /**
     * Opens the rings.
     *
     * @param directory where the tap process has them
     * @throws IOException if they aren't there, or are another aggregator's; the message says which
     */
    public RingListeners(AggregatorConfig config, Path directory, EventLoops loops) throws IOException {
        List<TapListener> listeners = InlineListeners.all(config);
        this.names = listeners.stream().map(TapListener::name).toList();
        this.source = TapSource.open(
                directory, listeners.stream().map(TapListener::identity).toList(), loops.allocator(), CHILD);
    }

    private int number(UpstreamConfig upstream) {
        return names.indexOf(upstream.name());
    }

    @Override
    public RelayStatus open(UpstreamConfig upstream, TapFactory taps, MeterRegistry registry) {
        List<String> addresses =
                upstream.upstream().addresses().stream().map(Address::spelled).toList();
        return source.listen(number(upstream), upstream.name(), taps, registry, addresses);
    }

    @Override
    public boolean start(MeterRegistry registry) {
        source.start(registry);
        return true;
    }

    @Override
    public long lag() {
        return Math.max(0, System.nanoTime() - source.handedOver());
    }

    @Override
    public long lostConnections() {
        long lost = 0;
        for (int number = 0; number < names.size(); number++) {
            lost += source.relay(number).lostConnections();
        }
        return lost;
    }

    @Override
    public RecordingGaps gaps(UpstreamConfig upstream) {
        int number = number(upstream);
        PublishedRelay relay = source.relay(number);
        return new RecordingGaps(
                source.restarts(),
                relay.lostBytes(Direction.REQUEST) + relay.lostBytes(Direction.REPLY),
                relay.lostConnections(),
                relay.unknownBytes(),
                source.requestBytesBefore(number));
    }

    /** The other process's descriptors aren't this one's. */
    @Override
    public long acceptFailures() {
        return 0;
    }

    /** The other process has drained before it ends this one. */
    @Override
    public void drain(Duration patience) {}

    @Override
    public void hurry() {}

    @Override
    public void close() {
        source.close();
    }
}
