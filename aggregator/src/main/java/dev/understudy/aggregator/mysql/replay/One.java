package dev.understudy.aggregator.mysql.replay;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.PreparedShape;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.util.List;

/** What {@code SELECT 1} answers, for pools that ask before production's did. */
final class One {
    private static final int BINARY = 63;
    private static final int INT = 3;
    private static final int NOT_NULL = 1;

    private One() {}

    static Rows rows(boolean prepared, Capabilities agreed) {
        MySqlWriter row = new MySqlWriter();
        byte[] one = prepared
                ? row.int8(0).int8(0).int32(1).toBytes()
                : row.value("1").toBytes();
        return new Rows(List.of(column(agreed)), List.of(one), Ok.of(0));
    }

    static PreparedShape shape(Capabilities agreed) {
        return new PreparedShape(List.of(), List.of(column(agreed)), 0);
    }

    private static byte[] column(Capabilities agreed) {
        MySqlWriter column = new MySqlWriter()
                .value("def")
                .value("")
                .value("")
                .value("")
                .value("1")
                .value("");
        if (agreed.has(Capabilities.MARIADB_EXTENDED_METADATA)) {
            column.int8(0);
        }
        return column.int8(0x0c)
                .int16(BINARY)
                .int32(1)
                .int8(INT)
                .int16(NOT_NULL)
                .int8(0)
                .int16(0)
                .toBytes();
    }
}
