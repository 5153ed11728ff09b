package dev.understudy.aggregator.mysql.replay;

import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.result.Ok;

/** What servers tell of the session's state behind an OK, to clients that want to know. */
final class Track {
    private static final int SCHEMA = 1;

    private Track() {}

    /** The database is another one. */
    static byte[] database(String name) {
        byte[] inner = new MySqlWriter().value(name).toBytes();
        return new MySqlWriter().int8(SCHEMA).value(inner).toBytes();
    }

    /** The same as production was told, but for the database. */
    static Ok withDatabase(Ok told, String database) {
        MySqlWriter out = new MySqlWriter();
        try {
            MySqlReader in = new MySqlReader(told.track());
            while (in.remaining() > 0) {
                int type = in.int8();
                byte[] inner = in.value();
                if (type != SCHEMA) {
                    out.int8(type).value(inner);
                }
            }
        } catch (MalformedPacketException e) {
            out = new MySqlWriter();
        }
        if (!database.isEmpty()) {
            out.bytes(database(database));
        }
        return told.withTrack(out.toBytes());
    }
}
