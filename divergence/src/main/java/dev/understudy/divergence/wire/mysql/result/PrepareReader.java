package dev.understudy.divergence.wire.mysql.result;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the answer to preparing a statement, packet by packet. */
public final class PrepareReader {
    private final boolean eofs;
    private final List<byte[]> parameters = new ArrayList<>();
    private final List<byte[]> columns = new ArrayList<>();
    private boolean begun;
    private int statement;
    private int warnings;
    private int parametersLeft;
    private int columnsLeft;
    private int eofsLeft;
    private @Nullable Err error;

    public PrepareReader(Capabilities agreed) {
        eofs = !agreed.has(Capabilities.DEPRECATE_EOF);
    }

    /** Takes the next packet; true if it is the last. */
    public boolean read(byte[] payload) {
        if (!begun) {
            begin(payload);
        } else if (parametersLeft > 0) {
            parameters.add(payload);
            if (--parametersLeft == 0 && eofs) {
                eofsLeft = 1;
            }
        } else if (eofsLeft > 0) {
            eofsLeft = 0;
        } else {
            columns.add(payload);
            if (--columnsLeft == 0 && eofs) {
                eofsLeft = 1;
            }
        }
        return parametersLeft == 0 && columnsLeft == 0 && eofsLeft == 0;
    }

    private void begin(byte[] payload) {
        begun = true;
        MySqlReader in = new MySqlReader(payload);
        int first = in.int8();
        if (first == 0xff) {
            error = Err.read(payload);
            return;
        }
        if (first != 0) {
            throw new MalformedPacketException("an answer to PREPARE that begins with " + first);
        }
        statement = in.int32();
        columnsLeft = in.int16();
        parametersLeft = in.int16();
        if (in.remaining() >= 3) {
            warnings = in.skip(1).int16();
        }
    }

    /** Why it can't be prepared; null if it can be. */
    public @Nullable Err error() {
        return error;
    }

    /** The server's number for the statement. */
    public int statement() {
        return statement;
    }

    public PreparedShape shape() {
        return new PreparedShape(parameters, columns, warnings);
    }
}
