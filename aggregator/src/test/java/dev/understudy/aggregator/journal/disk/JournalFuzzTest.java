package dev.understudy.aggregator.journal.disk;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.exchange.ReplyCodec;
import dev.understudy.aggregator.http.HttpAnswerCodec;
import dev.understudy.aggregator.mysql.exchange.MySqlReplyCodec;
import dev.understudy.aggregator.postgres.exchange.PgReplyCodec;
import dev.understudy.aggregator.redis.RedisReplyCodec;
import dev.understudy.relay.Splits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Any bytes as an exchange of a journal on disk: refused, or read, and then written and read again as the same. A reply
 * takes little more memory than it has bytes.
 */
class JournalFuzzTest {
    /** The run and the number of a transaction: each process has its own. */
    private static final int TRANSACTION = 16;

    private final HttpAnswerCodec http = new HttpAnswerCodec();
    private final RedisReplyCodec redis = new RedisReplyCodec();
    private final PgReplyCodec postgres = new PgReplyCodec();
    private final MySqlReplyCodec mysql = new MySqlReplyCodec();

    @FuzzTest
    void httpAnswers(byte[] input) throws Exception {
        Splits.bounded(input.length, () -> read(http, input, 0));
    }

    @FuzzTest
    void redisReplies(byte[] input) throws Exception {
        Splits.bounded(input.length, () -> read(redis, input, 0));
    }

    @FuzzTest
    void postgresReplies(byte[] input) throws Exception {
        Splits.bounded(input.length, () -> read(postgres, input, TRANSACTION));
    }

    @FuzzTest
    void mySqlReplies(byte[] input) throws Exception {
        Splits.bounded(input.length, () -> read(mysql, input, TRANSACTION));
    }

    /** Without this, a codec that refuses all bytes would pass. */
    @ParameterizedTest
    @CsvSource({
        "httpAnswers, chunked",
        "httpAnswers, counted",
        "httpAnswers, paced",
        "redisReplies, error",
        "redisReplies, text",
        "postgresReplies, result",
        "postgresReplies, script",
        "mySqlReplies, ok",
        "mySqlReplies, rows"
    })
    void exchangeThatWasWritten_isRead(String format, String seed) throws IOException {
        String name = "JournalFuzzTestInputs/" + format + '/' + seed;
        byte[] input;
        try (InputStream file = Objects.requireNonNull(JournalFuzzTest.class.getResourceAsStream(name), name)) {
            input = file.readAllBytes();
        }
        assertThat(
                        switch (format) {
                            case "httpAnswers" -> read(http, input, 0);
                            case "redisReplies" -> read(redis, input, 0);
                            case "postgresReplies" -> read(postgres, input, TRANSACTION);
                            default -> read(mysql, input, TRANSACTION);
                        })
                .isTrue();
    }

    private static <R extends RecordedReply> boolean read(ReplyCodec<R> codec, byte[] input, int transaction)
            throws IOException {
        Label label;
        R reply;
        try {
            PackedReader in = new PackedReader(Unpooled.wrappedBuffer(input));
            label = Label.readFrom(in);
            reply = codec.decode(in, null);
            in.end();
        } catch (IOException | RuntimeException refused) {
            return false;
        }
        assertThat(reply.bytes()).isBetween(0L, 100L * input.length + 1_000);
        byte[] written = written(codec, label, reply);
        PackedReader again = new PackedReader(Unpooled.wrappedBuffer(written));
        Label sameLabel = Label.readFrom(again);
        R sameReply = codec.decode(again, null);
        again.end();
        assertThat(sameLabel).isEqualTo(label);
        assertThat(sameReply.answer()).isEqualTo(reply.answer());
        byte[] twice = written(codec, sameLabel, sameReply);
        int behind = written(label).readableBytes();
        Arrays.fill(written, behind, behind + transaction, (byte) 0);
        Arrays.fill(twice, behind, behind + transaction, (byte) 0);
        assertThat(twice).isEqualTo(written);
        return true;
    }

    private static <R extends RecordedReply> byte[] written(ReplyCodec<R> codec, Label label, R reply) {
        ByteBuf bytes = written(label);
        codec.encode(reply, new PackedWriter(bytes));
        return ByteBufUtil.getBytes(bytes);
    }

    private static ByteBuf written(Label label) {
        ByteBuf bytes = Unpooled.buffer();
        label.writeTo(new PackedWriter(bytes));
        return bytes;
    }
}
