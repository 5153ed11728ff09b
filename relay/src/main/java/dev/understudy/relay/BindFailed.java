package dev.understudy.relay;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A listener could not be opened on its address, most often because the port is taken. */
public final class BindFailed extends IOException {
    private static final long serialVersionUID = 1;

    private final transient InetSocketAddress address;

    BindFailed(String listener, InetSocketAddress address, Throwable cause) {
        super("listener " + listener + ": can't listen on " + address + ": " + cause.getMessage(), cause);
        this.address = address;
    }

    /** The address that was wanted. */
    public InetSocketAddress address() {
        return address;
    }
}
