package dev.understudy.divergence.compare.redis;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.content.TextSpan;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;

/**
 * One reply of a Redis server as far as it was captured. The arrays are shared, not copied: leave them unchanged.
 *
 * @param bytes its first bytes, as sent
 * @param length of the whole reply in bytes, which may exceed {@code bytes.length}
 * @param sha256 of the whole reply; may be empty if that is held
 * @param complete whether it was seen to its end
 * @param begun when the command arrived at this side
 * @param ended when this side's reply was complete
 */
@SuppressWarnings("ArrayRecordComponent") // shared, never compared by equals
public record RespReply(byte[] bytes, long length, byte[] sha256, boolean complete, Instant begun, Instant ended) {
    /** A reply that is there as a whole. */
    public static RespReply of(byte[] bytes, Instant begun, Instant ended) {
        return new RespReply(bytes, bytes.length, new byte[0], true, begun, ended);
    }

    @Override
    public byte[] sha256() {
        boolean unknown = sha256.length == 0;
        return unknown && held() ? Sha256.of(bytes) : sha256;
    }

    /** Whether {@link #bytes} is all of it. */
    public boolean held() {
        return bytes.length == length;
    }

    /** Whether both are equal from the first byte to the last. */
    boolean equalTo(RespReply other) {
        if (length != other.length) {
            return false;
        }
        if (held() && other.held()) {
            return Arrays.equals(bytes, other.bytes);
        }
        return MessageDigest.isEqual(sha256(), other.sha256());
    }

    TextSpan span() {
        return new TextSpan(begun, ended);
    }
}
