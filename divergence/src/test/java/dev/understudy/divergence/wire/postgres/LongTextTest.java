package dev.understudy.divergence.wire.postgres;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LongTextTest {
    private static final int LIMIT = 10_000;
    private static final String LONG = "INSERT INTO t VALUES ('" + "x".repeat(2 * LIMIT) + "')";

    @Test
    void query_keepsItsBeginning_andIsToldFromAllOthers() {
        Frontend.Query one = (Frontend.Query) only(query(LONG), 7);
        assertThat(one.sql()).startsWith(LONG.substring(0, 4096)).hasSizeLessThan(4300);
        assertThat(LongText.shortened(one.sql())).isTrue();
        assertThat(LongText.shortened(LONG)).isFalse();
        assertThat(only(query(LONG), 1000)).isEqualTo(one);

        Set<Frontend> others = new HashSet<>(Set.of(one));
        for (String other : List.of(
                LONG + " ", LONG.replace("x')", "y')"), LONG.replaceFirst("xx", "xy"), LONG.replaceFirst("x", ""))) {
            assertThat(others.add(only(query(other), 1000))).as(other).isTrue();
        }
    }

    @Test
    void parse_keepsItsNameAndTypes() {
        Frontend.Parse parse = (Frontend.Parse) only(parse("S_1", LONG, 25, 0), 13);
        assertThat(parse.statement()).isEqualTo("S_1");
        assertThat(parse.types()).containsExactly(25, 0);
        assertThat(parse.sql()).isEqualTo(((Frontend.Query) only(query(LONG), 1000)).sql());
    }

    @ParameterizedTest
    @ValueSource(strings = {"set_config", "SET_CONFIG", "sset_config", "set_set_config", "pg_catalog.Set_Config"})
    void textThatMaySetASetting_isGivenUp_whereverThatStands(String word) {
        for (int at : new int[] {LIMIT - 5, 2 * LIMIT - 1, 100}) {
            String text = LONG.substring(0, at) + word + LONG.substring(at);
            for (int chunk : new int[] {1, 3, LIMIT}) {
                assertThat(cut(query(text), chunk).seen).containsExactly("oversized Q " + query(text).length);
            }
        }
        assertThat(only(query(LONG + "set_confi"), 5)).isNotNull();
        assertThat(only(query(LONG + "set_co nfig"), 5)).isNotNull();
    }

    @Test
    void message_isAccountedForAsItCame_andFramingGoesOn() {
        byte[] bytes = query(LONG);
        Cut cut = cut(bytes, 100);
        assertThat(cut.raw).isEqualTo(bytes.length);
        Told told = new Told();
        FrontendFramer framer = started(told);
        framer.feed(ByteBuffer.wrap(bytes));
        framer.feed(ByteBuffer.wrap(query("SELECT 1")));
        assertThat(told.statements).hasSize(1);
        assertThat(told.messages).isEqualTo(1);
    }

    @Test
    void brokenMessages_areOversized_andThrowNothing() {
        for (long seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            String text = LONG.substring(0, LIMIT + random.nextInt(500));
            byte[] bytes = random.nextBoolean() ? query(text) : parse("name", text, 1, 2, random.nextInt());
            for (int i = random.nextInt(6); i > 0; i--) {
                int near = random.nextBoolean() ? 40 : bytes.length - 5;
                bytes[random.nextBoolean() ? 5 + random.nextInt(near) : bytes.length - 1 - random.nextInt(40)] =
                        (byte) random.nextInt(3);
            }
            Told whole = told(bytes, bytes.length);
            Told pieces = told(bytes, 1 + random.nextInt(300));
            assertThat(pieces.statements).as("seed " + seed).isEqualTo(whole.statements);
            assertThat(pieces.seen).as("seed " + seed).isEqualTo(whole.seen);
            assertThat(whole.seen.size() + whole.statements.size())
                    .as("seed " + seed)
                    .isEqualTo(1);
        }
    }

    @Test
    void endlessNamesAndTypes_areNotKept() {
        assertThat(cut(parse("n".repeat(1 << 17), LONG), 1000).seen)
                .hasSize(1)
                .element(0)
                .asString()
                .startsWith("oversized P");
        byte[] more = new PgWriter()
                .string("")
                .string(LONG)
                .int16(0xffff)
                .bytes(new byte[1 << 19])
                .toBytes();
        assertThat(cut(wire('P', more), 1000).seen).containsExactly("oversized P " + (more.length + 5));
    }

    /** What a framer told, shortened statements for themselves. */
    private static final class Told implements PgSink {
        private final List<Frontend> statements = new ArrayList<>();
        private final List<String> seen = new ArrayList<>();
        private int messages;

        @Override
        public void shortened(Frontend statement, char type, int rawLength) {
            statements.add(statement);
        }

        @Override
        public void message(PgMessage message, int rawLength) {
            messages++;
        }

        @Override
        public void oversized(char type, long rawLength) {
            seen.add("oversized " + type + " " + rawLength);
        }

        @Override
        public void unframed(String reason, int rawLength) {
            seen.add("unframed " + reason);
        }
    }

    private static Frontend only(byte[] bytes, int chunk) {
        Told told = told(bytes, chunk);
        assertThat(told.seen).isEmpty();
        assertThat(told.statements).hasSize(1);
        return told.statements.get(0);
    }

    private static Told told(byte[] bytes, int chunk) {
        Told told = new Told();
        feed(started(told), bytes, chunk);
        return told;
    }

    private static Cut cut(byte[] bytes, int chunk) {
        Cut cut = new Cut();
        FrontendFramer framer = started(cut);
        cut.seen.clear();
        cut.raw = 0;
        feed(framer, bytes, chunk);
        return cut;
    }

    private static void feed(FrontendFramer framer, byte[] bytes, int chunk) {
        for (int at = 0; at < bytes.length; at += chunk) {
            framer.feed(ByteBuffer.wrap(bytes, at, Math.min(chunk, bytes.length - at)));
        }
    }

    private static FrontendFramer started(PgSink sink) {
        FrontendFramer framer = new FrontendFramer(sink, LIMIT);
        byte[] startup =
                new PgWriter().int32(3 << 16).string("user").string("u").int8(0).toBytes();
        framer.feed(ByteBuffer.wrap(
                new PgWriter().int32(startup.length + 4).bytes(startup).toBytes()));
        return framer;
    }

    private static byte[] query(String text) {
        return wire('Q', new PgWriter().string(text).toBytes());
    }

    private static byte[] parse(String name, String text, int... types) {
        PgWriter parse = new PgWriter().string(name).string(text).int16(types.length);
        for (int type : types) {
            parse.int32(type);
        }
        return wire('P', parse.toBytes());
    }

    private static byte[] wire(char type, byte[] body) {
        return ByteBuffer.allocate(body.length + 5)
                .put((byte) type)
                .putInt(body.length + 4)
                .put(body)
                .array();
    }
}
