package dev.understudy.divergence.wire.postgres;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gathers one length-prefixed message at a time, typed or not, out of chunks of any size.
 *
 * <p>Memory grows with the bytes that arrived, not with the length that was announced; beyond a limit a message is
 * given away as it comes to who wants it, or else counted and dropped; a Bind is shortened instead ({@link LongBind}),
 * and so is the text of a statement ({@link LongText}). Each byte is copied at most twice, whatever the chunks.
 */
final class MessageCutter {
    /** PostgreSQL's own limit for a message (PQ_LARGE_MESSAGE_LIMIT). */
    private static final int LONGEST = 0x3fffffff;

    /** Of a client's messages; no server's is called so. */
    private static final char BIND = 'B';

    private final int limit;
    private final Large large;
    private byte[] body = new byte[256];
    private int kept;
    private int header;
    private int headerBytes;
    private boolean typed;
    private char type;
    private int length = -1;
    private int passed;
    private boolean asked;
    private @Nullable LongBind longBind;
    private @Nullable LongText longText;
    private @Nullable MessageTaker taker;

    /** @param large is asked once for each message that is too long */
    MessageCutter(int limit, Large large) {
        this.limit = limit;
        this.large = large;
    }

    /** Knows who takes a message that is too long to be held. */
    interface Large {
        /** Null if nobody takes a message of this type with a body of so many bytes. */
        @Nullable
        MessageTaker taker(char type, int length);
    }

    enum Progress {
        MORE,
        COMPLETE,
        /** Given away; its taker is still to be told of its end. */
        TAKEN,
        OVERSIZED,
        BROKEN
    }

    /** Begins the next message, with a type byte in front or without. */
    void next(boolean withType) {
        typed = withType;
        type = 0;
        header = 0;
        headerBytes = 0;
        length = -1;
        passed = 0;
        kept = 0;
        asked = false;
        longBind = null;
        longText = null;
        taker = null;
        if (body.length > 65_536) {
            body = new byte[256];
        }
    }

    /** Whether no byte of a message has come yet. */
    boolean between() {
        return headerBytes == 0 && type == 0;
    }

    /** Memory that this takes. */
    long heldBytes() {
        return body.length
                + (longBind == null ? 0 : longBind.heldBytes())
                + (longText == null ? 0 : longText.heldBytes());
    }

    Progress feed(ByteBuffer bytes) {
        if (length < 0 && !header(bytes)) {
            return Progress.MORE;
        }
        if (length < 0 || length > LONGEST) {
            return Progress.BROKEN;
        }
        int take = Math.min(length - passed, bytes.remaining());
        if (length <= limit) {
            keep(bytes, take);
        } else {
            pass(bytes, take);
        }
        passed += take;
        if (passed < length) {
            return Progress.MORE;
        }
        if (taker != null) {
            return Progress.TAKEN;
        }
        return length <= limit || shortened() ? Progress.COMPLETE : Progress.OVERSIZED;
    }

    private void pass(ByteBuffer bytes, int take) {
        if (type == BIND) {
            LongBind bind = longBind == null ? new LongBind() : longBind;
            longBind = bind;
            bind.feed(bytes, take);
        } else if (LongText.has(type)) {
            LongText text = longText == null ? new LongText(type) : longText;
            longText = text;
            text.feed(bytes, take);
        } else {
            give(bytes, take);
        }
    }

    private void give(ByteBuffer bytes, int take) {
        if (!asked) {
            asked = true;
            taker = large.taker(type, length);
        }
        if (taker != null && take > 0) {
            taker.bytes(bytes.slice(bytes.position(), take));
        }
        bytes.position(bytes.position() + take);
    }

    private boolean shortened() {
        byte[] shorter = longBind == null ? null : longBind.body();
        if (shorter == null) {
            return false;
        }
        body = shorter;
        kept = shorter.length;
        return true;
    }

    /** Whether the message is known to be longer than the limit. */
    boolean tooLong() {
        return length > limit;
    }

    char type() {
        return type;
    }

    /** The Query or Parse that has gone by, with a shorter text; null if none has. */
    @Nullable
    Frontend statement() {
        return longText == null ? null : longText.message();
    }

    /** Who took the message; null if nobody did. */
    @Nullable
    MessageTaker taker() {
        return taker;
    }

    /** The body of a complete message. */
    byte[] body() {
        return Arrays.copyOf(body, kept);
    }

    /** Wire bytes of the message so far. */
    int rawLength() {
        return (type == 0 ? 0 : 1) + headerBytes + passed;
    }

    /** Reads type and length; the length stays negative if it is less than its own four bytes. */
    private boolean header(ByteBuffer bytes) {
        if (typed && type == 0 && bytes.hasRemaining()) {
            type = (char) (bytes.get() & 0xff);
        }
        while (headerBytes < 4 && bytes.hasRemaining()) {
            header = (header << 8) | (bytes.get() & 0xff);
            headerBytes++;
        }
        if (headerBytes < 4) {
            return false;
        }
        length = header < 4 ? -1 : header - 4;
        return true;
    }

    private void keep(ByteBuffer bytes, int take) {
        if (body.length - kept < take) {
            body = Arrays.copyOf(body, (int) Math.min(length, Math.max(2L * body.length, (long) kept + take)));
        }
        bytes.get(body, kept, take);
        kept += take;
    }
}
