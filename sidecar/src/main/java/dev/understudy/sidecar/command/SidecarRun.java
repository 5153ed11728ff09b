package dev.understudy.sidecar.command;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;

/** A sidecar that serves, in one process or in two. */
interface SidecarRun extends AutoCloseable {
    /** The address each listener really listens on, by name. */
    Map<String, InetSocketAddress> addresses();

    /**
     * Host and port of the control port, as soon as it is there.
     *
     * @throws IOException if it can't be had
     */
    String controlAddress() throws IOException, InterruptedException;

    /**
     * Where load balancers ask whether it serves, as a word of the line that it is ready; "" if nowhere but at the
     * control port.
     */
    String health();

    /** How faithful each listener's debug copy is, by name; empty if that was said already. */
    Map<String, String> fidelity();

    /** Closes with the configured patience. */
    @Override
    void close();

    /** Has {@link #controlAddress} wait no longer; for any thread. */
    default void stopWaiting() {}

    /** Ends the patience of a {@link #close} that is going on. */
    void hurry();
}
