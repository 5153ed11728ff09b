package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.redis.push.Subscriptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A production connection that is recorded, and debug connections that are answered from that, without any socket. */
final class RedisSides implements AutoCloseable {
    /** A server's word that it has the subscription to {@code a}, a connection's first. */
    static final String CONFIRMED = "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n";

    final TestJournal<RedisReply> test = new TestJournal<>(10_000);
    final AtomicLong now = new AtomicLong(2);
    final Subscriptions subscriptions = new Subscriptions(2_000, TimeUnit.SECONDS.toNanos(30), now::get);
    private final RedisSharing shared = new RedisSharing(subscriptions);
    final RedisRecorder production = recorder();
    final EmbeddedChannel debug = connect();

    /** One more production connection. */
    RedisRecorder recorder() {
        return new RedisRecorder(test.recording(), shared, RedisRule.DEFAULT);
    }

    /** One more debug connection. */
    EmbeddedChannel connect() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(new RedisReplayHandler(channel, test.replay(), shared, RedisRule.DEFAULT));
        return channel;
    }

    /** One more debug connection, which waits a while for production. */
    EmbeddedChannel patient() {
        EmbeddedChannel channel = new EmbeddedChannel();
        RedisReplayHandler handler =
                new RedisReplayHandler(channel, test.replay(Duration.ofMinutes(1)), shared, RedisRule.DEFAULT);
        channel.pipeline().addLast(handler);
        return channel;
    }

    /** Lets time pass for a debug connection. */
    void pass(EmbeddedChannel channel, long millis) {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    /** Production's client says so. */
    void production(String commands) {
        production.request(ByteBuffer.wrap(commands.getBytes(StandardCharsets.UTF_8)), 1);
    }

    /** Production's server says so. */
    void server(String replies) {
        production.reply(ByteBuffer.wrap(replies.getBytes(StandardCharsets.UTF_8)), 2);
    }

    /** What the debug client hears when it has said so. */
    String debug(String commands) {
        return heard(debug, commands);
    }

    /** What another debug client hears when it has said so. */
    static String heard(EmbeddedChannel channel, String commands) {
        channel.writeInbound(Unpooled.copiedBuffer(commands, StandardCharsets.UTF_8));
        channel.runPendingTasks();
        channel.checkException();
        StringBuilder said = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            said.append(out.toString(StandardCharsets.UTF_8));
            out.release();
        }
        return said.toString();
    }

    static String message(String channel, String text) {
        return "*3\r\n$7\r\nmessage\r\n$1\r\n%s\r\n$1\r\n%s\r\n".formatted(channel, text);
    }

    static String invalidate(String key) {
        return ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\n%s\r\n".formatted(key);
    }

    @Override
    public void close() {
        debug.finishAndReleaseAll();
    }
}
