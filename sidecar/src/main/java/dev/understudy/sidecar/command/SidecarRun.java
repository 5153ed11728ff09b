package dev.understudy.sidecar.command;

import java.net.InetSocketAddress;
import java.util.Map;

/** A sidecar that serves, in one process or in two. */
interface SidecarRun extends AutoCloseable {
    /** The address each listener really listens on, by name. */
    Map<String, InetSocketAddress> addresses();

    /** Host and port of the control port. */
    String controlAddress();

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

    /** Ends the patience of a {@link #close} that is going on. */
    void hurry();
}
