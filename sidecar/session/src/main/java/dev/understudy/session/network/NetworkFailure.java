package dev.understudy.session.network;

/** A network couldn't be changed, and is as it was. The message says why, and names the way out. */
public final class NetworkFailure extends Exception {
    private static final long serialVersionUID = 1;

    public NetworkFailure(String message) {
        super(message);
    }

    public NetworkFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
