package dev.understudy.aggregator.production;

import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.aggregator.config.UpstreamConfig;
import dev.understudy.relay.Listener;
import dev.understudy.relay.RelayConfig;
import dev.understudy.relay.RelayStatus;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.split.TapListener;
import dev.understudy.relay.split.TapProcess;
import dev.understudy.relay.tap.TapCarrier;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** Listeners of this process. Thread-safe. */
public final class InlineListeners implements ProductionSide {
    private final EventLoops loops;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    public InlineListeners(EventLoops loops) {
        this.loops = loops;
    }

    /** What a process of its own is to open for production. */
    public static List<TapListener> all(AggregatorConfig config) {
        return config.upstreams().stream()
                .filter(upstream -> upstream.listen() != null)
                .map(upstream -> new TapListener(
                        upstream.name(),
                        identity(upstream),
                        false,
                        true,
                        (carrier, before, loops, registry) -> open(upstream, carrier, loops, registry)))
                .toList();
    }

    private static String identity(UpstreamConfig upstream) {
        return upstream.name() + " on " + upstream.listen() + " of " + upstream.protocol() + " at "
                + upstream.upstream().addresses();
    }

    private static Listener open(UpstreamConfig upstream, TapCarrier carrier, EventLoops loops, MeterRegistry registry)
            throws IOException {
        InetSocketAddress listen = Objects.requireNonNull(upstream.listen());
        RelayConfig relay = new RelayConfig(
                upstream.name(),
                new InetSocketAddress(listen.getHostString(), listen.getPort()),
                upstream.upstream(),
                upstream.accept(),
                upstream.startTls());
        return Listener.open(relay, carrier, loops, registry);
    }

    @Override
    public RelayStatus open(UpstreamConfig upstream, TapFactory taps, MeterRegistry registry) throws IOException {
        Listener listener = open(upstream, TapCarrier.inline(taps), loops, registry);
        listeners.add(listener);
        return listener;
    }

    @Override
    public RecordingGaps gaps(UpstreamConfig upstream) {
        return RecordingGaps.NONE;
    }

    @Override
    public boolean start(MeterRegistry registry) {
        return false;
    }

    @Override
    public long lag() {
        return 0;
    }

    @Override
    public long lostConnections() {
        return 0;
    }

    @Override
    public long acceptFailures() {
        return listeners.stream().mapToLong(Listener::acceptFailures).sum();
    }

    @Override
    public void drain(Duration patience) {
        TapProcess.drainAll(listeners, patience);
    }

    @Override
    public void hurry() {
        listeners.forEach(Listener::hurry);
    }

    @Override
    public void close() {
        listeners.forEach(Listener::close);
    }
}
