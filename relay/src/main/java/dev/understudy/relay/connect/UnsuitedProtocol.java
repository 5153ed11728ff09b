package dev.understudy.relay.connect;

import java.io.Serial;
import javax.net.ssl.SSLException;

/** Production is there, and its certificate is right, but it doesn't speak what its client has agreed on with us. */
public final class UnsuitedProtocol extends SSLException {
    @Serial
    private static final long serialVersionUID = 1;

    public UnsuitedProtocol(String agreed) {
        super("production doesn't speak " + agreed);
    }
}
