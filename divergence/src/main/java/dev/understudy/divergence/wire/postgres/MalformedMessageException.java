package dev.understudy.divergence.wire.postgres;

/** A message whose body doesn't have the shape that its type asks for. */
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message);
    }
}
