package dev.understudy.relay.stream;

import java.io.IOException;

/** Bytes that should have been a block and are none; the message says what is wrong with them. */
public final class DamagedBlock extends IOException {
    private static final long serialVersionUID = 1;

    DamagedBlock(String message) {
        super(message);
    }
}
