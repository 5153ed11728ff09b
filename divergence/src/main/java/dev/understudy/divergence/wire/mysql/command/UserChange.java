package dev.understudy.divergence.wire.mysql.command;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MySqlReader;

/**
 * What COM_CHANGE_USER carries. Neither the user's name nor what proves it is kept.
 *
 * @param collation 0 if none is named
 * @param plugin name of the authentication that the proof is for; empty if none is named
 */
public record UserChange(String database, int collation, String plugin) {

    /** Reads the payload of a COM_CHANGE_USER. */
    public static UserChange read(byte[] payload, Capabilities agreed) {
        MySqlReader in = new MySqlReader(payload).skip(1);
        in.zeroEnded();
        if (agreed.has(Capabilities.SECURE_CONNECTION)) {
            in.skip(in.int8());
        } else {
            in.zeroEnded();
        }
        String database = in.string();
        int collation = in.remaining() >= 2 ? in.int16() : 0;
        String plugin = agreed.has(Capabilities.PLUGIN_AUTH) && in.remaining() > 0 ? in.string() : "";
        return new UserChange(database, collation & 0xff, plugin);
    }
}
