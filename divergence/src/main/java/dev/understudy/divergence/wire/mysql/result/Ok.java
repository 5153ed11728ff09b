package dev.understudy.divergence.wire.mysql.result;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.ServerStatus;

/**
 * A statement has succeeded, or rows are at their end: the OK packet, and the EOF packet that was its forerunner.
 *
 * @param affected rows
 * @param insertId the first generated key; 0 if there is none
 * @param status {@link ServerStatus}
 * @param info for people
 * @param track what has changed in the session, as the server tells clients that want to know; may be empty
 */
public record Ok(long affected, long insertId, int status, int warnings, byte[] info, byte[] track)
        implements ResultEnd {
    private static final byte[] NONE = {};

    /** Nothing but a status. */
    public static Ok of(int status) {
        return new Ok(0, 0, status, 0, NONE, NONE);
    }

    public Ok withStatus(int other) {
        return new Ok(affected, insertId, other, warnings, info, track);
    }

    public Ok withTrack(byte[] other) {
        return new Ok(affected, insertId, status, warnings, info, other);
    }

    /** Reads an OK packet, whichever its first byte. */
    public static Ok read(byte[] payload, Capabilities agreed) {
        MySqlReader in = new MySqlReader(payload).skip(1);
        long affected = in.number();
        long insertId = in.number();
        int status = in.int16();
        int warnings = in.int16();
        if (!agreed.has(Capabilities.SESSION_TRACK)) {
            return new Ok(affected, insertId, status, warnings, in.rest(), NONE);
        }
        byte[] info = in.remaining() > 0 ? in.value() : NONE;
        boolean changed = (status & ServerStatus.SESSION_STATE_CHANGED) != 0;
        byte[] track = changed && in.remaining() > 0 ? in.value() : NONE;
        return new Ok(affected, insertId, status & ~ServerStatus.SESSION_STATE_CHANGED, warnings, info, track);
    }

    /** Reads an EOF packet. */
    public static Ok readEof(byte[] payload) {
        MySqlReader in = new MySqlReader(payload).skip(1);
        int warnings = in.int16();
        return new Ok(0, 0, in.int16(), warnings, NONE, NONE);
    }

    /** The OK packet that says this, with this first byte. */
    public byte[] encode(int first, Capabilities agreed) {
        boolean tracks = agreed.has(Capabilities.SESSION_TRACK);
        boolean changed = tracks && track.length > 0;
        int told = (status & ~ServerStatus.SESSION_STATE_CHANGED) | (changed ? ServerStatus.SESSION_STATE_CHANGED : 0);
        MySqlWriter out = new MySqlWriter()
                .int8(first)
                .number(affected)
                .number(insertId)
                .int16(told)
                .int16(warnings);
        if (!tracks) {
            return out.bytes(info).toBytes();
        }
        if (info.length > 0 || changed) {
            out.value(info);
        }
        return changed ? out.value(track).toBytes() : out.toBytes();
    }

    /** The EOF packet that says this. */
    public byte[] encodeEof() {
        return new MySqlWriter()
                .int8(0xfe)
                .int16(warnings)
                .int16(status & ~ServerStatus.SESSION_STATE_CHANGED)
                .toBytes();
    }

    @Override
    public long bytes() {
        return 80L + info.length + track.length;
    }
}
