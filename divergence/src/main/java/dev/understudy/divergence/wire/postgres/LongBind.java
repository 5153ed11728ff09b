package dev.understudy.divergence.wire.postgres;

import dev.understudy.divergence.content.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Shortens a Bind that is too long to be held, as it comes: in the place of each value that isn't short stand its
 * length and its SHA-256, so that equal messages stay equal and no others. What is kept depends on how many values
 * there are, of which each takes bytes of its own. Confined to one thread; throws nothing.
 */
final class LongBind {
    /** Bytes of a value that stays as it is: more than any number, date or identifier has. */
    private static final int SHORT = 64;

    private static final int HASHED = Long.BYTES + 32;
    private static final int LONGEST_NAMES = 65_536;

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final MessageDigest hash = Sha256.digest();
    private Step step = Step.NAMES;
    private int names;
    private int number;
    private int digits;
    private int values;
    private int left;
    private int length;

    private enum Step {
        /** Those of portal and statement, each up to a zero. */
        NAMES,
        FORMATS,
        CODES,
        VALUES,
        LENGTH,
        SHORT_VALUE,
        LONG_VALUE,
        RESULTS,
        RESULT_CODES,
        END,
        BROKEN
    }

    /** Takes so many of these bytes. */
    void feed(ByteBuffer bytes, int most) {
        int end = bytes.position() + most;
        while (bytes.position() < end) {
            switch (step) {
                case NAMES -> name(bytes.get());
                case CODES, SHORT_VALUE, RESULT_CODES -> copy(bytes, end);
                case LONG_VALUE -> hash(bytes, end);
                case END, BROKEN -> {
                    step = Step.BROKEN;
                    bytes.position(end);
                }
                default -> digit(bytes.get() & 0xff);
            }
        }
    }

    /** The shortened body; null if what came is no whole Bind. */
    byte @Nullable [] body() {
        return step == Step.END ? kept.toByteArray() : null;
    }

    /** Memory that is kept: an array that grows may be twice as long. */
    long heldBytes() {
        return 2L * kept.size();
    }

    private void name(byte next) {
        kept.write(next);
        names += next == 0 ? 1 : 0;
        if (names == 2) {
            step = Step.FORMATS;
        } else if (kept.size() > LONGEST_NAMES) {
            step = Step.BROKEN;
        }
    }

    private void digit(int next) {
        number = number << 8 | next;
        digits++;
        if (digits == (step == Step.LENGTH ? 4 : 2)) {
            int read = number;
            number = 0;
            digits = 0;
            counted(read);
        }
    }

    private void counted(int read) {
        if (step == Step.LENGTH) {
            valueBegins(read);
            return;
        }
        kept.write(read >>> 8);
        kept.write(read);
        if (step == Step.VALUES) {
            values = read;
            valueEnded();
        } else {
            left = 2 * read;
            step = step == Step.FORMATS ? Step.CODES : Step.RESULT_CODES;
            copied();
        }
    }

    private void valueBegins(int bytes) {
        values--;
        length = bytes;
        left = bytes;
        if (bytes < -1) {
            step = Step.BROKEN;
        } else if (bytes <= SHORT) {
            number(bytes);
            left = Math.max(0, bytes);
            step = Step.SHORT_VALUE;
            copied();
        } else {
            number(HASHED);
            step = Step.LONG_VALUE;
        }
    }

    private void copy(ByteBuffer bytes, int end) {
        while (left > 0 && bytes.position() < end) {
            kept.write(bytes.get());
            left--;
        }
        copied();
    }

    private void copied() {
        if (left == 0) {
            switch (step) {
                case CODES -> step = Step.VALUES;
                case RESULT_CODES -> step = Step.END;
                default -> valueEnded();
            }
        }
    }

    private void hash(ByteBuffer bytes, int end) {
        int some = Math.min(left, end - bytes.position());
        hash.update(bytes.slice(bytes.position(), some));
        bytes.position(bytes.position() + some);
        left -= some;
        if (left == 0) {
            number(0);
            number(length);
            kept.writeBytes(hash.digest());
            valueEnded();
        }
    }

    private void valueEnded() {
        step = values == 0 ? Step.RESULTS : Step.LENGTH;
    }

    private void number(int value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            kept.write(value >>> shift);
        }
    }
}
