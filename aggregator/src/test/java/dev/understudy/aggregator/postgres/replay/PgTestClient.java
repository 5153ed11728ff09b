package dev.understudy.aggregator.postgres.replay;

import dev.understudy.divergence.wire.postgres.BackendFramer;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgSink;
import dev.understudy.divergence.wire.postgres.PgWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;

/** A client of a debug port, message by message. */
final class PgTestClient {
    private PgTestClient() {}

    static void send(EmbeddedChannel channel, PgMessage... messages) {
        for (PgMessage message : messages) {
            ByteBuffer bytes = ByteBuffer.allocate(message.wireLength());
            message.writeTo(bytes);
            send(channel, bytes.array());
        }
    }

    static void send(EmbeddedChannel channel, byte[] bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    }

    /** The types of all messages that came; for errors with their SQLSTATE, for ReadyForQuery with its status. */
    static String read(EmbeddedChannel channel) {
        StringBuilder types = new StringBuilder();
        BackendFramer framer = new BackendFramer(
                new PgSink() {
                    @Override
                    public void message(PgMessage message, int rawLength) {
                        types.append(message.type());
                        types.append(message.type() == 'E' ? PgErrors.state(message) : "");
                        types.append(message.type() == 'Z' ? (char) message.body()[0] : "");
                    }

                    @Override
                    public void oversized(char type, long rawLength) {
                        types.append('!');
                    }

                    @Override
                    public void unframed(String reason, int rawLength) {
                        types.append('?');
                    }

                    @Override
                    public void encryptionAnswer(char answer, int rawLength) {
                        types.append(answer);
                    }
                },
                1 << 20);
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            if (out.readableBytes() == 1) {
                framer.expectEncryptionAnswer();
            }
            framer.feed(out.nioBuffer());
            out.release();
        }
        return types.toString().replace("S", "");
    }

    static byte[] startup(int protocol) {
        byte[] startup = new PgWriter()
                .int32(protocol)
                .string("user")
                .string("u")
                .int8(0)
                .toBytes();
        return new PgWriter().int32(startup.length + 4).bytes(startup).toBytes();
    }

    static PgMessage parse(String sql) {
        return new PgWriter().string("").string(sql).int16(0).toMessage('P');
    }

    static PgMessage query(String sql) {
        return new PgWriter().string(sql).toMessage('Q');
    }

    static PgMessage bind() {
        return bind("");
    }

    static PgMessage bind(String statement) {
        return new PgWriter()
                .string("")
                .string(statement)
                .int16(0)
                .int16(0)
                .int16(0)
                .toMessage('B');
    }

    static PgMessage describe() {
        return new PgWriter().int8('P').string("").toMessage('D');
    }

    static PgMessage execute() {
        return new PgWriter().string("").int32(0).toMessage('E');
    }
}
