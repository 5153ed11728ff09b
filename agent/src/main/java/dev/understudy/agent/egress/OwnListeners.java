package dev.understudy.agent.egress;

import java.io.IOException;
import java.net.InetAddress;

/** Finds out where this process listens. */
public interface OwnListeners {
    /**
     * Whether it does at that port of an address of this machine.
     *
     * @throws IOException if that can't be found out here
     */
    boolean listenAt(InetAddress address, int port) throws IOException;
}
