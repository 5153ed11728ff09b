package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.record.MySqlRecorder;
import dev.understudy.aggregator.sql.ReplayPosition;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.ServerGreeting;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Production's connections and debug's to one server that exists on paper only, packet by packet. */
final class MySqlConversation {
    static final int INIT_DB = 2;
    static final int QUERY = 3;
    static final int STATISTICS = 9;
    static final int PING = 14;
    static final int CHANGE_USER = 17;
    static final int PREPARE = 22;
    static final int RESET = 31;

    private static final long BITS = Capabilities.PROTOCOL_41
            | Capabilities.SECURE_CONNECTION
            | Capabilities.PLUGIN_AUTH
            | Capabilities.LONG_PASSWORD
            | Capabilities.CONNECT_WITH_DB
            | Capabilities.DEPRECATE_EOF;
    private static final Capabilities SERVER = new Capabilities(BITS);

    final TestJournal<MySqlReply> journal = new TestJournal<>(1 << 16);
    final ServerFacts facts = new ServerFacts();
    private final ReplayPosition position = new ReplayPosition(null);
    private final Duration patience;
    private long now;

    MySqlConversation(Duration patience) {
        this.patience = patience;
    }

    /** A connection of production's that is let in. */
    Production production(String database) {
        Production opened = new Production();
        opened.login(database, Ok.of(2).encode(0, SERVER));
        return opened;
    }

    /** One that is refused. */
    void refused(String database, Err error) {
        new Production().login(database, error.encode());
    }

    /** A connection of debug's, which has sent its login. */
    Debug debug(String database) {
        return new Debug(database);
    }

    static byte[] ok() {
        return Ok.of(2).encode(0, SERVER);
    }

    static byte[] prepared(int number) {
        return new MySqlWriter()
                .int8(0)
                .int32(number)
                .int16(0)
                .int16(0)
                .int8(0)
                .int16(0)
                .toBytes();
    }

    static byte[] command(int code, String text) {
        return new MySqlWriter()
                .int8(code)
                .bytes(text.getBytes(StandardCharsets.UTF_8))
                .toBytes();
    }

    /** One of production's. */
    final class Production {
        final MySqlRecorder recorder = new MySqlRecorder(journal.recording(), facts);

        private void login(String database, byte[] answer) {
            byte[] greeting =
                    new ServerGreeting("8.4.0", 5, SERVER, 45, 2, "mysql_native_password").encode(new byte[20]);
            server(0, greeting);
            client(1, MySqlConversation.login(database));
            server(2, answer);
        }

        /** Sends a command and gets this. */
        void asks(byte[] command, byte[]... answer) {
            client(0, command);
            for (int i = 0; i < answer.length; i++) {
                server(i + 1, answer[i]);
            }
        }

        void asks(String sql, byte[]... answer) {
            asks(command(QUERY, sql), answer);
        }

        void client(int sequence, byte[] payload) {
            recorder.request(ByteBuffer.wrap(packet(sequence, payload)), ++now);
        }

        void server(int sequence, byte[] payload) {
            recorder.reply(ByteBuffer.wrap(packet(sequence, payload)), ++now);
        }
    }

    /** One of debug's. */
    final class Debug {
        final EmbeddedChannel channel = new EmbeddedChannel();

        private Debug(String database) {
            channel.pipeline()
                    .addLast(new MySqlReplayHandler(journal.replay(patience), facts, position, SqlSpelling.MEANING));
            channel.pipeline().fireChannelActive();
            written();
            client(1, login(database));
        }

        /** What is answered to a command. */
        List<byte[]> asks(byte[] command) {
            client(0, command);
            return written();
        }

        List<byte[]> asks(String sql) {
            return asks(command(QUERY, sql));
        }

        /** The error that a command is answered with. */
        Err refused(byte[] command) {
            return error(asks(command));
        }

        Err refused(String sql) {
            return error(asks(sql));
        }

        private Err error(List<byte[]> answer) {
            if (answer.isEmpty() || (answer.get(0)[0] & 0xff) != 0xff) {
                throw new AssertionError("no error but " + answer.size() + " packets");
            }
            return Err.read(answer.get(0));
        }

        void client(int sequence, byte[] payload) {
            channel.writeInbound(Unpooled.wrappedBuffer(packet(sequence, payload)));
        }

        List<byte[]> written() {
            ByteBuf all = Unpooled.buffer();
            for (ByteBuf one = channel.readOutbound(); one != null; one = channel.readOutbound()) {
                all.writeBytes(one);
                one.release();
            }
            List<byte[]> packets = new ArrayList<>();
            while (all.isReadable()) {
                int length = all.readUnsignedMediumLE();
                all.skipBytes(1);
                packets.add(ByteBufUtil.getBytes(all.readSlice(length)));
            }
            return packets;
        }
    }

    private static byte[] packet(int sequence, byte[] payload) {
        return new MySqlWriter()
                .int24(payload.length)
                .int8(sequence)
                .bytes(payload)
                .toBytes();
    }

    private static byte[] login(String database) {
        return new MySqlWriter()
                .int32((int) BITS)
                .int32(0)
                .int8(45)
                .bytes(new byte[23])
                .string("nobody")
                .int8(1)
                .int8('x')
                .string(database)
                .string("mysql_native_password")
                .toBytes();
    }
}
