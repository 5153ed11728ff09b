package dev.understudy.it.fidelity.wire;

import java.io.ByteArrayOutputStream;

/** All bytes of one connection, each way. Guarded by itself. */
public final class Connection {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    synchronized void keep(boolean fromClient, byte[] bytes, int length) {
        (fromClient ? sent : received).write(bytes, 0, length);
    }

    /** What the client sent. */
    public synchronized byte[] sent() {
        return sent.toByteArray();
    }

    /** What it got. */
    public synchronized byte[] received() {
        return received.toByteArray();
    }
}
