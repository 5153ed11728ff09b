package dev.understudy.agent.bootstrap;

import java.net.ConnectException;
import java.net.InetSocketAddress;

/** Decides where the application may connect to; safe for any threads. */
public interface EgressGuard {
    /**
     * Returns if the running thread may connect to that address, which is resolved.
     *
     * @throws ConnectException if it may not
     */
    void check(InetSocketAddress to) throws ConnectException;
}
