package dev.understudy.aggregator.production;

import dev.understudy.aggregator.config.UpstreamConfig;
import dev.understudy.relay.RelayStatus;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;

/** Production's connections to its upstreams, which are relayed and tapped in this process or another one. */
public interface ProductionSide extends AutoCloseable {
    /**
     * Has an upstream's connections tapped.
     *
     * @throws IOException if its address can't be listened on; the message names it
     */
    RelayStatus open(UpstreamConfig upstream, TapFactory taps, MeterRegistry registry) throws IOException;

    /**
     * All upstreams are open.
     *
     * @return whether production may have been relayed before
     */
    boolean start(MeterRegistry registry);

    /** What was relayed and never came to this process. */
    RecordingGaps gaps(UpstreamConfig upstream);

    /** For how many nanoseconds what production does now waits before it comes to this process. */
    long lag();

    /** Connections, all upstreams together, of which nothing came to this process. */
    long lostConnections();

    /** How often no descriptor of this process was left for a connection of production, or for its upstream's. */
    long acceptFailures();

    /** Accepts no more production connections and gives the open ones until {@code patience} is over to end. */
    void drain(Duration patience);

    /** Ends the patience of a {@link #drain} that is going on. */
    void hurry();

    @Override
    void close();
}
