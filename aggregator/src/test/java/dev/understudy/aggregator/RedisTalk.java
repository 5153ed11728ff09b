package dev.understudy.aggregator;

import dev.understudy.divergence.wire.redis.RespFramer;
import dev.understudy.divergence.wire.redis.RespSink;
import dev.understudy.divergence.wire.redis.RespValue;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/** One connection to Redis, of commands in words; a minute without an answer is an error. */
final class RedisTalk implements AutoCloseable {
    private final Socket socket;
    private final ArrayDeque<RespValue> said = new ArrayDeque<>();
    private final RespFramer framer = new RespFramer(
            new RespSink() {
                @Override
                public void value(RespValue value, Sent sent) {
                    said.add(value);
                }

                @Override
                public void unframed(String reason, byte[] remaining) {
                    throw new IllegalStateException(reason);
                }
            },
            1 << 20);

    RedisTalk(InetSocketAddress address) throws IOException {
        socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(60_000);
    }

    void say(String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    RespValue ask(String command) throws IOException {
        say(command);
        return next();
    }

    long number(String command) throws IOException {
        return ((RespValue.Int) ask(command)).value();
    }

    String text(String command) throws IOException {
        return text(ask(command));
    }

    static String text(RespValue value) {
        return new String(value.encode(), StandardCharsets.UTF_8);
    }

    /** What the server says next. */
    RespValue next() throws IOException {
        byte[] read = new byte[8192];
        while (said.isEmpty()) {
            int count = socket.getInputStream().read(read);
            if (count < 0) {
                throw new IOException("the server closed the connection");
            }
            framer.feed(ByteBuffer.wrap(read, 0, count));
        }
        return said.remove();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
