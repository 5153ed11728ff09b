package dev.understudy.mcp.port;

import dev.understudy.sidecar.command.control.ControlClient;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The clients of both control ports, made at their first use. Thread-safe.
 *
 * <p>After {@link #renew} new ones are made: a process that was started again has another token in its file.
 */
public final class ControlPorts {
    private final Source sidecar;
    private final Source aggregator;
    private @Nullable ControlClient ofSidecar; // guarded by this
    private @Nullable ControlClient ofAggregator; // guarded by this

    public ControlPorts(Source sidecar, Source aggregator) {
        this.sidecar = sidecar;
        this.aggregator = aggregator;
    }

    /** Makes a client, as the command's options say. */
    public interface Source {
        /**
         * A new one.
         *
         * @throws IOException if a file of its TLS can't be read; the message names it
         */
        ControlClient open() throws IOException;
    }

    /** The sidecar's. */
    public synchronized ControlClient sidecar() throws IOException {
        ControlClient client = ofSidecar == null ? sidecar.open() : ofSidecar;
        ofSidecar = client;
        return client;
    }

    /** The aggregator's. */
    public synchronized ControlClient aggregator() throws IOException {
        ControlClient client = ofAggregator == null ? aggregator.open() : ofAggregator;
        ofAggregator = client;
        return client;
    }

    /** Has the next call make new ones. */
    public synchronized void renew() {
        ofSidecar = null;
        ofAggregator = null;
    }
}
