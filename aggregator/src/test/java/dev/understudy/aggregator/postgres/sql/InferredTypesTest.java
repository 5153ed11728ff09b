package dev.understudy.aggregator.postgres.sql;

import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.Frontend;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InferredTypesTest {
    private static final String SQL = "SELECT * FROM t WHERE a = $1";
    private static final int INT4 = 23;
    private static final int INT8 = 20;
    private static final int DATE = 1082;

    private final InferredTypes types = new InferredTypes();

    @Test
    void typeThatTheServerInferred_isNotTheClientsOwn() {
        types.bound(SQL, List.of(0, INT8), text("2024-01-01", "7"));
        types.described(SQL, List.of(DATE, INT8));
        assertThat(types.undo(SQL, List.of(DATE, INT8))).containsExactly(0, INT8);
        assertThat(types.undo(SQL, List.of(INT4, INT8))).as("another than that").containsExactly(INT4, INT8);
        assertThat(types.undo(SQL + "1", List.of(DATE))).as("another statement").containsExactly(DATE);
    }

    @Test
    void typeThatTheClientNamesAtOnce_isItsOwn() {
        types.described(SQL, List.of(INT4));
        assertThat(types.undo(SQL, List.of(INT4))).containsExactly(INT4);
        types.bound(SQL, List.of(0), bind(Formats.TEXT, new byte[0]));
        types.bound(SQL, List.of(0), bind(Formats.of((short) 1), new byte[4]));
        types.bound(SQL, List.of(INT4), text("1"));
        assertThat(types.undo(SQL, List.of(INT4)))
                .as("neither NULL nor binary values nor typed ones leave it open")
                .containsExactly(INT4);
    }

    @Test
    void binaryValueOfAnOpenType_hasTheOneInferred() {
        Frontend.Bind binary = bind(Formats.of((short) 1), new byte[] {0, 0, 0, 5});
        assertThat(types.parameters(SQL, List.of(0), binary).get(0).type()).isZero();
        types.described(SQL, List.of(INT4));
        assertThat(types.parameters(SQL, List.of(0), binary).get(0).type()).isEqualTo(INT4);
        assertThat(types.parameters(SQL, List.of(INT8), binary).get(0).type()).isEqualTo(INT8);
        assertThat(types.parameters(SQL, List.of(), binary).get(0).type()).isEqualTo(INT4);
        assertThat(types.parameters(SQL, List.of(0), text("5")).get(0).type()).isZero();
    }

    @Test
    void statementsOfLongAgo_areForgotten_andThoseInUseAreNot() {
        types.described(SQL, List.of(INT4));
        types.described("rare", List.of(INT4));
        Frontend.Bind binary = bind(Formats.of((short) 1), new byte[4]);
        for (int i = 0; i < 999; i++) {
            types.described("other " + i, List.of(INT8));
            assertThat(types.parameters(SQL, List.of(0), binary).get(0).type()).isEqualTo(INT4);
        }
        assertThat(types.parameters("rare", List.of(0), binary).get(0).type()).isZero();
    }

    private static Frontend.Bind text(String... values) {
        byte[][] bytes = new byte[values.length][];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = values[i].getBytes(StandardCharsets.US_ASCII);
        }
        return bind(Formats.TEXT, bytes);
    }

    /** An empty value stands for NULL. */
    private static Frontend.Bind bind(Formats given, byte[]... values) {
        List<byte @Nullable []> parameters = new ArrayList<>();
        for (byte[] value : values) {
            parameters.add(value.length == 0 ? null : value);
        }
        return new Frontend.Bind("", "", given, parameters, Formats.TEXT);
    }
}
