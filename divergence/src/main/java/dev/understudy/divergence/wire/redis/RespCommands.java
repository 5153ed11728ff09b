package dev.understudy.divergence.wire.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a client sends into commands and keeps as much of their words as says what they are about: names and keys
 * in full, as a rule, and of values the beginning. Confined to one thread.
 */
public final class RespCommands {
    /** Bytes that are kept of a word. */
    public static final int MAX_WORD = 512;

    /** Bytes that are kept of a command. */
    public static final int MAX_KEPT = 64 * 1024;

    private final List<byte[]> words = new ArrayList<>();
    private final byte[] word = new byte[MAX_WORD];
    private int length;
    private int kept;
    private boolean truncated;

    private final RespScanner scanner = new RespScanner(new RespScanner.Words() {
        @Override
        public void word(byte[] whole) {
            part(ByteBuffer.wrap(whole));
            whole();
        }

        @Override
        public void part(ByteBuffer bytes) {
            int more = Math.min(bytes.remaining(), MAX_WORD - length);
            bytes.get(word, length, more);
            length += more;
        }

        @Override
        public void whole() {
            if (kept + length > MAX_KEPT || words.size() >= MAX_KEPT / Long.BYTES) {
                truncated = true;
            } else {
                words.add(Arrays.copyOf(word, length));
                kept += length;
            }
            length = 0;
        }
    });

    /** As {@link RespScanner#scan}; after a command's end, {@link #next} comes first. */
    public RespScanner.Found scan(ByteBuffer bytes) {
        return scanner.scan(bytes);
    }

    /** The command so far, with the words that are whole; null if there are none. */
    public @Nullable RedisCommand command() {
        return RedisCommand.of(words);
    }

    /** Whether there are more words than were kept. */
    public boolean isTruncated() {
        return truncated;
    }

    /** Whether a command has begun and not ended. */
    public boolean within() {
        return scanner.within();
    }

    /** Why these are no commands; empty as long as they are. */
    public String malformation() {
        return scanner.malformation();
    }

    /** Forgets the last command. */
    public void next() {
        words.clear();
        kept = 0;
        truncated = false;
    }
}
