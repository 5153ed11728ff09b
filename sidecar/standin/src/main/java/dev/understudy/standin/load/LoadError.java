package dev.understudy.standin.load;

import java.util.Locale;

/** Why a request had no reply. */
public enum LoadError {
    /** No connection could be opened for it. */
    REFUSED,
    /** The connection ended before the reply was complete. */
    CLOSED,
    /** The reply wasn't complete in time, counted from when the request was due. */
    TIMEOUT,
    /** The reply wasn't HTTP. */
    MALFORMED;

    /** As results spell it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
