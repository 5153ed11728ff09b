package dev.understudy.relay.starttls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/** A channel with one stage in it that is fed bytes in random pieces, and whose buffers are counted. */
final class Wire implements AutoCloseable {
    final EmbeddedChannel channel = new EmbeddedChannel(false, false);
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    private final Random random;

    Wire(Random random, ChannelHandler stage) throws Exception {
        this.random = random;
        channel.config().setAllocator(allocator);
        channel.pipeline().addLast(stage);
        channel.register();
    }

    /** Comes from the socket, in pieces. */
    void read(byte[] bytes) {
        for (int from = 0; from < bytes.length; ) {
            int to = from + 1 + random.nextInt(Math.min(bytes.length - from, 1 + random.nextInt(60)));
            readAtOnce(Arrays.copyOfRange(bytes, from, to));
            from = to;
        }
    }

    void readAtOnce(byte[] bytes) {
        channel.pipeline().fireChannelRead(copy(bytes));
        channel.pipeline().fireChannelReadComplete();
    }

    /** Goes towards the socket, in pieces. */
    void write(byte[] bytes) {
        for (int from = 0; from < bytes.length; ) {
            int to = from + 1 + random.nextInt(Math.min(bytes.length - from, 1 + random.nextInt(60)));
            channel.pipeline().write(copy(Arrays.copyOfRange(bytes, from, to)));
            from = to;
        }
        channel.flush();
    }

    private ByteBuf copy(byte[] bytes) {
        return channel.alloc().heapBuffer(bytes.length).writeBytes(bytes);
    }

    /** What reached the stages behind since the last time. */
    byte[] behind() {
        return all(channel.inboundMessages());
    }

    /** What reached the socket since the last time. */
    byte[] sent() {
        return all(channel.outboundMessages());
    }

    private static byte[] all(Queue<Object> messages) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Object message = messages.poll(); message != null; message = messages.poll()) {
            ByteBuf bytes = (ByteBuf) message;
            byte[] piece = new byte[bytes.readableBytes()];
            bytes.readBytes(piece).release();
            all.writeBytes(piece);
        }
        return all.toByteArray();
    }

    long heldBytes() {
        return allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory();
    }

    /** Checks that no buffer is left. */
    @Override
    public void close() {
        channel.finishAndReleaseAll();
        assertThat(heldBytes()).as("bytes of buffers that nobody released").isZero();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Stands for TLS: all bits that go by are turned over, in both directions. */
    static final class Cipher extends ChannelDuplexHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            ctx.fireChannelRead(turned((ByteBuf) msg));
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
            ctx.write(turned((ByteBuf) msg), promise);
        }

        private static ByteBuf turned(ByteBuf bytes) {
            for (int i = bytes.readerIndex(); i < bytes.writerIndex(); i++) {
                bytes.setByte(i, ~bytes.getByte(i));
            }
            return bytes;
        }

        static byte[] turned(byte[] bytes) {
            byte[] turned = bytes.clone();
            for (int i = 0; i < turned.length; i++) {
                turned[i] = (byte) ~turned[i];
            }
            return turned;
        }
    }
}
