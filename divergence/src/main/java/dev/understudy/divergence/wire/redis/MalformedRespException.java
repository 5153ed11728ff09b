package dev.understudy.divergence.wire.redis;

/** What came isn't RESP, or is larger than allowed; never leaves this package. */
final class MalformedRespException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedRespException(String reason) {
        super(reason, null, false, false);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
