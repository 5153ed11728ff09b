package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.wire.postgres.PgMessage;
import org.jspecify.annotations.Nullable;

/**
 * Whether one server has let the client in, and which proof of who it is it asked for (protocol manual, "Start-up").
 * Confined to its lane loop.
 */
final class PgFrameEntry {
    private static final int OK = 0;
    private static final int PASSWORD = 3;
    private static final int SASL_FINAL = 12;

    private int last = -1;
    private boolean open;
    private boolean proof;

    void heard(PgMessage message) {
        if (message.type() == 'R') {
            last = message.reader().int32();
            open |= last == OK;
            proof |= last != OK && last != PASSWORD;
        }
    }

    boolean isOpen() {
        return open;
    }

    /** Whether it waits for the client's answer now. */
    boolean asks() {
        return !open && last != SASL_FINAL;
    }

    /** Whether it asked for a proof that is good for this server and this time only. */
    boolean wantsProof() {
        return proof;
    }

    /** How the server answered a client that wants to be let in; null if it hasn't. */
    @Nullable
    String said() {
        return switch (last) {
            case -1 -> null;
            case OK -> "ok";
            case PASSWORD -> "password";
            case 5 -> "md5";
            case 7, 8, 9 -> "gss";
            case 10, 11, SASL_FINAL -> "sasl";
            default -> "method " + last;
        };
    }
}
