package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.wire.redis.RespScanner;
import dev.understudy.sidecar.frame.Opening;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Commands that bring a new connection to where production's is, and their replies, of which only the first byte is of
 * interest. Confined to its lane loop.
 */
final class RedisOpening implements Opening {
    private static final byte PUSH = '>';

    private final byte[] bytes;
    private final List<Boolean> mayBeRefused;
    private final RespScanner replies = new RespScanner();
    private int answered;
    private boolean pushed;

    /**
     * @param commands as the client sent them; copied
     * @param mayBeRefused of each of them, whether the debug side had refused it before, so that its refusal is nothing
     *     new
     */
    RedisOpening(List<byte[]> commands, List<Boolean> mayBeRefused) {
        this.bytes = new byte[commands.stream().mapToInt(words -> words.length).sum()];
        this.mayBeRefused = mayBeRefused;
        int length = 0;
        for (byte[] words : commands) {
            System.arraycopy(words, 0, bytes, length, words.length);
            length += words.length;
        }
    }

    @Override
    public ByteBuf bytes() {
        return Unpooled.wrappedBuffer(bytes);
    }

    @Override
    public Heard heard(ByteBuf data) {
        ByteBuffer fed = data.nioBuffer();
        Heard heard = heard(fed);
        data.skipBytes(fed.position());
        return heard;
    }

    private Heard heard(ByteBuffer fed) {
        while (answered < mayBeRefused.size() && fed.hasRemaining()) {
            if (!replies.within()) {
                pushed = fed.get(fed.position()) == PUSH;
            }
            RespScanner.Found found = replies.scan(fed);
            if (found == RespScanner.Found.MALFORMED) {
                return Heard.REFUSED;
            }
            if (found == RespScanner.Found.VALUE && !pushed) {
                if (RedisReplyCopy.refuses(replies.type()) && !mayBeRefused.get(answered)) {
                    return Heard.REFUSED;
                }
                answered++;
            }
        }
        return answered == mayBeRefused.size() ? Heard.DONE : Heard.MORE;
    }
}
