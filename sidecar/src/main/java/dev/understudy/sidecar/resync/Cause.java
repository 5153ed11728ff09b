package dev.understudy.sidecar.resync;

/** Why an epoch began. */
public enum Cause {
    /** The session did. */
    START,
    /** It was time. */
    PERIODIC,
    /** Replies differed. */
    DIVERGENCE,
    /** Requests were lost on their way. */
    OVERFLOW,
    /** The operator wanted it. */
    ASKED,
    /** It runs other code from then on, or its own again; it wasn't cut. */
    PATCHED
}
