package dev.understudy.relay;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Accepts clients on one address and relays each to production. Thread-safe. */
public final class Listener implements AutoCloseable {
    private final InetSocketAddress address;

    private Listener(InetSocketAddress address) {
        this.address = address;
    }

    /**
     * Listens; connections are relayed once this returns.
     *
     * @throws BindFailed if the address can't be listened on, most often because the port is taken
     */
    public static Listener open(RelayConfig config, TapFactory taps, EventLoops loops, MeterRegistry registry)
            throws BindFailed {
        if (config.listen().isUnresolved()) {
            throw new BindFailed(config.name(), config.listen(), new IOException("unknown host"));
        }
        return new Listener(config.listen());
    }

    /** Where it listens, with the real port. */
    public InetSocketAddress address() {
        return address;
    }

    /** Connections accepted so far. */
    public long opened() {
        return 0;
    }

    /** Connections open now. */
    public long open() {
        return 0;
    }

    /** Bytes relayed in {@code direction} so far. */
    public long bytes(Direction direction) {
        return 0;
    }

    /**
     * Accepts no more, and waits for the open connections to end by themselves; those left after {@code patience} are
     * reset, so that nobody takes a cut stream for a whole one.
     *
     * @return whether all ended by themselves
     */
    public boolean drain(Duration patience) {
        return true;
    }

    /** Drains with no patience. */
    @Override
    public void close() {
        drain(Duration.ZERO);
    }
}
