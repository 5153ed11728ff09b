package dev.understudy.divergence.wire.postgres;

import dev.understudy.divergence.content.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Shortens the text of a Query or a Parse that is too long to be held, as it comes: its beginning is kept, with the
 * length and the SHA-256 of all of it, so that equal texts stay equal and no others. What stands behind the beginning
 * isn't known to anybody: a text is given up if it has the one word by which a part of any statement changes what later
 * ones mean. Confined to one thread; throws nothing.
 */
public final class LongText {
    /** Stands behind the beginning; no text has it, since it ends all of them. */
    private static final char MARK = 0;

    /** Bytes of a text that are kept. */
    private static final int BEGINNING = 4096;

    private static final int LONGEST_NAME = 65_536;

    /** A function that may be called anywhere, and sets what SET sets. */
    private static final byte[] SETTING = "set_config".getBytes(StandardCharsets.US_ASCII);

    private final boolean parse;
    private final ByteArrayOutputStream name = new ByteArrayOutputStream();
    private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
    private final ByteArrayOutputStream types = new ByteArrayOutputStream();
    private final MessageDigest hash = Sha256.digest();
    private Step step;
    private long length;
    private int matched;

    private enum Step {
        NAME,
        TEXT,
        /** How many types there are, and these. */
        TYPES,
        BROKEN
    }

    /** @param type of the message */
    LongText(char type) {
        parse = type == 'P';
        step = parse ? Step.NAME : Step.TEXT;
    }

    /** Whether this is the text of a message that was shortened. */
    public static boolean shortened(String sql) {
        return sql.indexOf(MARK) >= 0;
    }

    /** Bytes of memory, roughly, that a shortened Query or Parse takes. */
    public static int bytes(Frontend shortened) {
        if (shortened instanceof Frontend.Parse read) {
            return 2 * (read.statement().length() + read.sql().length())
                    + 20 * read.types().size();
        }
        return 2 * BEGINNING;
    }

    /** Whether messages of this type have such a text. */
    static boolean has(char type) {
        return type == 'P' || type == 'Q';
    }

    /** Takes so many of these bytes. */
    void feed(ByteBuffer bytes, int most) {
        int end = bytes.position() + most;
        while (bytes.position() < end) {
            switch (step) {
                case NAME -> name(bytes.get());
                case TEXT -> text(bytes, end);
                case TYPES -> type(bytes.get());
                case BROKEN -> bytes.position(end);
            }
        }
    }

    /** The message, with the shortened text for its own; null if what came is none, or is given up. */
    @Nullable
    Frontend message() {
        if (step != Step.TYPES) {
            return null;
        }
        String sql = beginning.toString(StandardCharsets.UTF_8) + MARK + " … " + length + " bytes, SHA-256 "
                + HexFormat.of().formatHex(hash.digest());
        if (!parse) {
            return types.size() == 0 ? new Frontend.Query(sql) : null;
        }
        try {
            PgReader reader = new PgReader(types.toByteArray());
            Frontend.Parse read = new Frontend.Parse(name.toString(StandardCharsets.UTF_8), sql, reader.types());
            return reader.remaining() == 0 ? read : null;
        } catch (MalformedMessageException malformed) {
            return null;
        }
    }

    /** Memory that is kept: an array that grows may be twice as long. */
    long heldBytes() {
        return 2L * (name.size() + beginning.size() + types.size());
    }

    private void name(byte next) {
        if (next == 0) {
            step = Step.TEXT;
        } else if (name.size() == LONGEST_NAME) {
            step = Step.BROKEN;
        } else {
            name.write(next);
        }
    }

    private void text(ByteBuffer bytes, int end) {
        int from = bytes.position();
        int at = from;
        byte next = 1;
        while (at < end && next != 0) {
            next = bytes.get(at++);
            look(next);
        }
        int some = at - from - (next == 0 ? 1 : 0);
        ByteBuffer read = bytes.slice(from, some);
        hash.update(read.duplicate());
        length += some;
        byte[] kept = new byte[Math.min(some, BEGINNING - beginning.size())];
        read.get(kept);
        beginning.writeBytes(kept);
        bytes.position(at);
        if (matched == SETTING.length) {
            step = Step.BROKEN;
        } else if (next == 0) {
            step = Step.TYPES;
        }
    }

    /** No beginning of the word is found again within it, but its first letter. */
    private void look(byte next) {
        if (matched < SETTING.length) {
            int lower = next >= 'A' && next <= 'Z' ? next + 'a' - 'A' : next;
            matched = lower == SETTING[matched] ? matched + 1 : lower == SETTING[0] ? 1 : 0;
        }
    }

    private void type(byte next) {
        if (types.size() == 2 + 4 * 65_535) {
            step = Step.BROKEN;
        } else {
            types.write(next);
        }
    }
}
