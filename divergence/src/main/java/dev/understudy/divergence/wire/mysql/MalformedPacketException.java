package dev.understudy.divergence.wire.mysql;

/** A packet whose payload doesn't have the shape that its place asks for. */
public final class MalformedPacketException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedPacketException(String message) {
        super(message);
    }
}
