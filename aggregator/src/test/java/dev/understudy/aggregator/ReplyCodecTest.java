package dev.understudy.aggregator;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.exchange.ReplyCodec;
import dev.understudy.aggregator.fact.Transaction;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpAnswerCodec;
import dev.understudy.aggregator.http.HttpPace;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.exchange.MySqlReplyCodec;
import dev.understudy.aggregator.mysql.exchange.MySqlTransaction;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgReplyCodec;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgScript;
import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.exchange.QueryStep;
import dev.understudy.aggregator.redis.RedisReply;
import dev.understudy.aggregator.redis.RedisReplyCodec;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.ResultEnd;
import dev.understudy.divergence.wire.mysql.result.Rows;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is written to disk is read back as it was; anything else is refused, and takes no more memory than it has bytes.
 */
class ReplyCodecTest {
    private static final int ROUNDS = 2_000;

    @Test
    void redisReply_survives() {
        survives(
                new RedisReplyCodec(),
                ReplyCodecTest::redis,
                (was, is) -> assertThat(is.wire()).isEqualTo(was.wire()));
    }

    @Test
    void httpAnswer_survives() {
        survives(new HttpAnswerCodec(), ReplyCodecTest::http, (was, is) -> {
            assertThat(is.head()).isEqualTo(was.head());
            assertThat(is.body()).isEqualTo(was.body());
            assertThat(is.trailers()).isEqualTo(was.trailers());
            assertThat(is.framing()).isEqualTo(was.framing());
            assertThat(is.interim()).isEqualTo(was.interim());
            assertThat(is.pace()).usingRecursiveComparison().isEqualTo(was.pace());
        });
    }

    @Test
    void pgReply_survives() {
        survives(new PgReplyCodec(), ReplyCodecTest::postgres, (was, is) -> {
            assertThat(in(was.transaction(), is)).isEqualTo(was);
            assertThat(is.transaction().block()).isEqualTo(was.transaction().block());
            Transaction.Outcome outcome = was.transaction().outcome();
            assertThat(is.transaction().outcome())
                    .isEqualTo(outcome == Transaction.Outcome.OPEN ? Transaction.Outcome.LOST : outcome);
        });
    }

    @Test
    void mySqlReply_survives() {
        survives(new MySqlReplyCodec(), ReplyCodecTest::mySql, (was, is) -> {
            assertThat(is.whole()).isEqualTo(was.whole());
            assertThat(told(is)).isEqualTo(told(was));
            assertThat(is.transaction().block()).isEqualTo(was.transaction().block());
            assertThat(is.transaction().error()).isEqualTo(was.transaction().error());
            Transaction.Outcome outcome = was.transaction().outcome();
            assertThat(is.transaction().outcome())
                    .isEqualTo(outcome == Transaction.Outcome.OPEN ? Transaction.Outcome.LOST : outcome);
        });
    }

    @Test
    void damagedReplies_areRefused() {
        refused(new RedisReplyCodec(), ReplyCodecTest::redis);
        refused(new HttpAnswerCodec(), ReplyCodecTest::http);
        refused(new PgReplyCodec(), ReplyCodecTest::postgres);
        refused(new MySqlReplyCodec(), ReplyCodecTest::mySql);
    }

    @Test
    void repliesOfOneTransaction_findTogetherInALaterProcess() throws IOException {
        PgTransaction transaction = new PgTransaction();
        transaction.becomesBlock();
        transaction.end(Transaction.Outcome.COMMITTED, null);
        PgReplyCodec writer = new PgReplyCodec();
        ByteBuf one = encoded(writer, new PgScript(List.of(), 'T', transaction));
        ByteBuf other = encoded(writer, new PgScript(List.of(), 'I', transaction));
        PgReplyCodec reader = new PgReplyCodec();

        PgTransaction read = reader.decode(new PackedReader(one), null).transaction();

        assertThat(reader.decode(new PackedReader(other), null).transaction()).isSameAs(read);
        assertThat(writer.decode(
                                new PackedReader(encoded(writer, new PgScript(List.of(), 'I', transaction))),
                                transaction)
                        .transaction())
                .as("in the same process")
                .isSameAs(transaction);
    }

    private static PgReply in(PgTransaction transaction, PgReply reply) {
        if (reply instanceof PgScript script) {
            return new PgScript(script.messages(), script.status(), transaction);
        }
        PgResult result = (PgResult) reply;
        return new PgResult(
                result.columns(),
                result.formats(),
                result.rows(),
                result.notices(),
                result.end(),
                result.next(),
                result.style(),
                transaction,
                null,
                result.refusedAt());
    }

    private static <R extends RecordedReply> void survives(
            ReplyCodec<R> codec, Function<Random, R> made, BiConsumer<R, R> same) {
        for (long seed = 0; seed < ROUNDS; seed++) {
            R reply = made.apply(new Random(seed));
            ByteBuf written = encoded(codec, reply);
            try {
                PackedReader in = new PackedReader(written);
                R read = codec.decode(in, null);
                in.end();
                same.accept(reply, read);
                assertThat(read.answer()).isEqualTo(reply.answer());
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static <R extends RecordedReply> void refused(ReplyCodec<R> codec, Function<Random, R> made) {
        int refused = 0;
        for (long seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] bytes = ByteBufUtil.getBytes(encoded(codec, made.apply(random)));
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            ByteBuf damaged = Unpooled.wrappedBuffer(bytes, 0, random.nextInt(bytes.length + 1));
            PackedReader in = new PackedReader(damaged);
            try {
                R read = codec.decode(in, null);
                in.end();
                assertThat(read.bytes()).as("seed %d", seed).isLessThan(100L * bytes.length + 1_000);
            } catch (IOException | RuntimeException expected) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(ROUNDS / 2);
    }

    private static <R extends RecordedReply> ByteBuf encoded(ReplyCodec<R> codec, R reply) {
        ByteBuf out = Unpooled.buffer();
        codec.encode(reply, new PackedWriter(out));
        return out;
    }

    private static RedisReply redis(Random random) {
        return new RedisReply(bytes(random, 300));
    }

    private static HttpAnswer http(Random random) {
        ReplyHead head =
                new ReplyHead("HTTP/1." + random.nextInt(2), 100 + random.nextInt(900), "Réason", headers(random));
        HttpAnswer.Framing[] framings = HttpAnswer.Framing.values();
        byte[] body = bytes(random, 1_000);
        List<ReplyHead> interim =
                random.nextBoolean() ? List.of() : List.of(new ReplyHead("HTTP/1.1", 103, "", headers(random)));
        HttpAnswer.Framing framing = framings[random.nextInt(framings.length)];
        return new HttpAnswer(head, body, headers(random), framing, interim, pace(random, body.length), null);
    }

    private static @Nullable HttpPace pace(Random random, int body) {
        if (random.nextBoolean()) {
            return random.nextBoolean() ? null : HttpPace.inFile(random.nextBoolean());
        }
        List<byte[]> messages = List.of(bytes(random, 32), bytes(random, 32));
        List<HttpPace.Release> releases =
                List.of(new HttpPace.Release(1, false, body / 2), new HttpPace.Release(2, random.nextBoolean(), body));
        return new HttpPace(messages, releases, random.nextBoolean());
    }

    private static List<Header> headers(Random random) {
        List<Header> headers = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            headers.add(new Header("X-" + random.nextInt(10), "\u00ff".repeat(random.nextInt(200))));
        }
        return headers;
    }

    private static PgReply postgres(Random random) {
        PgTransaction transaction = new PgTransaction();
        if (random.nextBoolean()) {
            transaction.becomesBlock();
        }
        Transaction.Outcome[] outcomes = Transaction.Outcome.values();
        Transaction.Outcome outcome = outcomes[random.nextInt(outcomes.length)];
        if (outcome != Transaction.Outcome.OPEN) {
            transaction.end(outcome, random.nextBoolean() ? message(random) : null);
        }
        if (random.nextInt(3) == 0) {
            return new PgScript(messages(random), 'T', transaction);
        }
        return new PgResult(
                random.nextInt(4) == 0 ? null : columns(random),
                Formats.of((short) random.nextInt(2), (short) random.nextInt(70_000)),
                messages(random),
                messages(random),
                message(random),
                random.nextInt(4) == 0
                        ? Form.of("SELECT", "SELECT " + random.nextInt()).asRepeatable()
                        : null,
                new TextStyle("Europe/Zürich", random.nextBoolean(), random.nextBoolean(), true, random.nextBoolean()),
                transaction,
                null,
                random.nextBoolean() ? QueryStep.BIND : QueryStep.PARSE);
    }

    private static MySqlReply mySql(Random random) {
        MySqlTransaction transaction = random.nextBoolean() ? MySqlTransaction.open() : new MySqlTransaction();
        Transaction.Outcome[] outcomes = Transaction.Outcome.values();
        Transaction.Outcome outcome = outcomes[random.nextInt(outcomes.length)];
        if (outcome != Transaction.Outcome.OPEN) {
            transaction.end(outcome, random.nextBoolean() ? error(random) : null);
        }
        List<Result> results = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            ResultEnd ending = random.nextInt(3) == 0 ? error(random) : ok(random);
            results.add(random.nextBoolean() ? ending : new Rows(payloads(random), payloads(random), ending));
        }
        return new MySqlReply(results, random.nextBoolean(), transaction);
    }

    /** All that a reply says. */
    private static String told(MySqlReply reply) {
        StringBuilder all = new StringBuilder();
        for (Result result : reply.results()) {
            if (result instanceof Rows rows) {
                all.append(Arrays.deepToString(rows.columns().toArray()))
                        .append(Arrays.deepToString(rows.rows().toArray()));
            }
            all.append(result.ending());
            if (result.ending() instanceof Ok ok) {
                all.append(Arrays.toString(ok.info())).append(Arrays.toString(ok.track()));
            }
        }
        return all.toString().replaceAll("\\[B@[0-9a-f]+", "");
    }

    private static Ok ok(Random random) {
        return new Ok(
                random.nextLong(),
                random.nextLong(),
                random.nextInt(1 << 16),
                random.nextInt(1 << 16),
                bytes(random, 50),
                bytes(random, 50));
    }

    private static Err error(Random random) {
        return new Err(
                random.nextInt(1 << 16), "4200" + random.nextInt(10), "Unbekannte Spalte \u00fc " + random.nextInt());
    }

    private static List<byte[]> payloads(Random random) {
        List<byte[]> payloads = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            payloads.add(bytes(random, 200));
        }
        return payloads;
    }

    private static List<Column> columns(Random random) {
        List<Column> columns = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            columns.add(new Column(
                    "c" + i,
                    random.nextInt(),
                    (short) random.nextInt(),
                    random.nextInt(),
                    (short) random.nextInt(),
                    random.nextInt()));
        }
        return columns;
    }

    private static List<PgMessage> messages(Random random) {
        List<PgMessage> messages = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            messages.add(message(random));
        }
        return messages;
    }

    private static PgMessage message(Random random) {
        return new PgMessage((char) ('A' + random.nextInt(26)), bytes(random, 200));
    }

    private static byte[] bytes(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }
}
