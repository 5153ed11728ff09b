package dev.understudy.divergence.wire.redis;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One value of the Redis serialization protocol, versions 2 and 3, or an inline command.
 *
 * <p>Byte arrays are shared, not copied: whoever gets a value leaves them unchanged. Values compare by
 * content.
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are large and often short-lived: shared
public sealed interface RespValue {
    /** {@code +OK}: text without line ends. */
    record Simple(String text) implements RespValue {}

    /** {@code -ERR message}: text without line ends. */
    record SimpleError(String message) implements RespValue {}

    /** {@code :7}. */
    record Int(long value) implements RespValue {}

    /** {@code $3 foo}: a bulk string; null bytes are RESP2's null. */
    record Bulk(byte @Nullable [] bytes) implements RespValue {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bulk that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    /** {@code *2 …}: an array; null items are RESP2's null array. */
    record Array(@Nullable List<RespValue> items) implements RespValue {}

    /** {@code _}: RESP3's null. */
    record Null() implements RespValue {}

    /** {@code #t}. */
    record Bool(boolean value) implements RespValue {}

    /** {@code ,1.5}: a double as its text, so that nothing is rounded. */
    record Decimal(String text) implements RespValue {}

    /** {@code (123}: an integer of any size, as its text. */
    record BigNumber(String text) implements RespValue {}

    /** {@code !5 ERR x}: an error that may contain line ends. */
    record BulkError(byte[] bytes) implements RespValue {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof BulkError that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    /** {@code =7 txt:foo}: text with a format of three characters. */
    record Verbatim(String format, byte[] bytes) implements RespValue {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Verbatim that && format.equals(that.format) && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return 31 * format.hashCode() + Arrays.hashCode(bytes);
        }
    }

    /** {@code %1 key value}: a map in the order sent. */
    record Mapping(List<Entry> entries) implements RespValue {}

    /** {@code ~2 …}: a set in the order sent. */
    record Unordered(List<RespValue> items) implements RespValue {}

    /** {@code >2 …}: an out-of-band push, which answers no command. */
    record Push(List<RespValue> items) implements RespValue {}

    /** {@code |1 key value} and the value that it belongs to. */
    record Attributed(List<Entry> attributes, RespValue value) implements RespValue {}

    /** A command written as plain words on one line. */
    record Inline(List<byte[]> words) implements RespValue {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Inline that && Arrays.deepEquals(words.toArray(), that.words.toArray());
        }

        @Override
        public int hashCode() {
            return Arrays.deepHashCode(words.toArray());
        }
    }

    /** A key and its value. */
    record Entry(RespValue key, RespValue value) {}

    /** The value as wire bytes. */
    default byte[] encode() {
        return RespWriter.encode(this);
    }
}
