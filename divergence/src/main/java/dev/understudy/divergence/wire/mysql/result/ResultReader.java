package dev.understudy.divergence.wire.mysql.result;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.PacketFramer;
import dev.understudy.divergence.wire.mysql.ServerStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the answer to one statement, packet by packet: its results, one or several.
 *
 * <p>Throws {@link MalformedPacketException} where a packet can't stand in its place. Not for several threads.
 */
public final class ResultReader {
    private static final int MAX_COLUMNS = 65_535;
    private static final int EOF = 5;
    private static final int LONGEST_EOF = 8;

    private final Capabilities agreed;
    private final boolean eofs;
    private final List<Result> results = new ArrayList<>();
    private List<byte[]> known;
    private List<byte[]> columns = new ArrayList<>();
    private List<byte[]> rows = new ArrayList<>();
    private State state = State.HEADER;
    private int columnsLeft;
    private long held;
    private boolean cursor;
    private boolean file;
    private boolean forgetful;

    private enum State {
        HEADER,
        COLUMNS,
        COLUMNS_END,
        ROWS,
        OVER
    }

    /**
     * Makes a reader.
     *
     * @param known the columns that the client knows of the statement, which the server may leave out
     */
    public ResultReader(Capabilities agreed, List<byte[]> known) {
        this.agreed = agreed;
        this.eofs = !agreed.has(Capabilities.DEPRECATE_EOF);
        this.known = known;
    }

    /** A reader of rows that are fetched from a cursor with these columns. */
    public static ResultReader ofFetch(Capabilities agreed, List<byte[]> columns) {
        ResultReader reader = new ResultReader(agreed, columns);
        reader.columns = new ArrayList<>(columns);
        reader.state = State.ROWS;
        return reader;
    }

    /** Takes the next packet; true if it is the last of the answer. */
    public boolean read(byte[] payload) {
        if (payload.length == 0) {
            throw new MalformedPacketException("an empty packet in a result");
        }
        held += forgetful ? 0 : 24L + payload.length;
        switch (state) {
            case HEADER -> header(payload);
            case COLUMNS -> column(payload);
            case COLUMNS_END -> columnsEnd(payload);
            case ROWS -> row(payload);
            case OVER -> throw new MalformedPacketException("a packet behind the last result");
        }
        return state == State.OVER;
    }

    /** Keeps no more rows, and forgets those that it has; the answer's end is still found. */
    public void forgetRows() {
        forgetful = true;
        rows.clear();
        results.clear();
        held = 0;
    }

    /** Whether the next packet may be a row. */
    public boolean inRows() {
        return state == State.ROWS;
    }

    /** The rows of the result that is being read, which are the caller's from now on and not part of it. */
    public List<byte[]> takeRows() {
        List<byte[]> taken = rows;
        rows = new ArrayList<>();
        held -= Result.bytes(taken);
        return taken;
    }

    /** How many results are complete. */
    public int complete() {
        return results.size();
    }

    /** What has been read so far; all of it once the last packet was. */
    public List<Result> results() {
        return List.copyOf(results);
    }

    /** Bytes that are held. */
    public long heldBytes() {
        return held;
    }

    /** Whether the rows of the last result are to be fetched from a cursor. */
    public boolean cursor() {
        return cursor;
    }

    /** Whether the server asks for a file of the client's; what follows isn't a result. */
    public boolean asksForFile() {
        return file;
    }

    private void header(byte[] payload) {
        int first = payload[0] & 0xff;
        switch (first) {
            case 0x00 -> end(Ok.read(payload, agreed));
            case 0xff -> end(Err.read(payload));
            case 0xfb -> {
                file = true;
                state = State.OVER;
            }
            case 0xfe -> end(payload.length == EOF ? Ok.readEof(payload) : Ok.read(payload, agreed));
            default -> columnCount(payload);
        }
    }

    private void columnCount(byte[] payload) {
        MySqlReader in = new MySqlReader(payload);
        long count = in.number();
        if (count > MAX_COLUMNS) {
            throw new MalformedPacketException(count + " columns");
        }
        // MariaDB says whether the definitions follow, if it was agreed that they may be left out.
        boolean leftOut = agreed.has(Capabilities.MARIADB_CACHE_METADATA) && in.remaining() > 0 && in.int8() == 0;
        columns = new ArrayList<>();
        rows = new ArrayList<>();
        columnsLeft = (int) count;
        if (leftOut) {
            if (known.size() != count) {
                throw new MalformedPacketException(count + " columns left out that nobody knows");
            }
            columns.addAll(known);
            state = eofs ? State.COLUMNS_END : State.ROWS;
        } else {
            state = State.COLUMNS;
        }
    }

    private void column(byte[] payload) {
        columns.add(payload);
        if (--columnsLeft == 0) {
            known = columns;
            state = eofs ? State.COLUMNS_END : State.ROWS;
        }
    }

    private void columnsEnd(byte[] payload) {
        if ((payload[0] & 0xff) != 0xfe || payload.length > LONGEST_EOF) {
            throw new MalformedPacketException("no end of the columns");
        }
        Ok end = Ok.readEof(payload);
        state = State.ROWS;
        if ((end.status() & ServerStatus.CURSOR_EXISTS) != 0) {
            endRows(end);
        }
    }

    private void row(byte[] payload) {
        int first = payload[0] & 0xff;
        if (first == 0xff) {
            endRows(Err.read(payload));
        } else if (first == 0xfe && payload.length <= (eofs ? LONGEST_EOF : PacketFramer.FULL - 1)) {
            endRows(eofs ? Ok.readEof(payload) : Ok.read(payload, agreed));
        } else if (!forgetful) {
            rows.add(payload);
        }
    }

    private void endRows(ResultEnd ending) {
        // While a cursor is read, each fetch ends like this; it is open as long as it isn't said to be at its end.
        cursor = ending instanceof Ok ok
                && (ok.status() & ServerStatus.CURSOR_EXISTS) != 0
                && (ok.status() & ServerStatus.LAST_ROW_SENT) == 0;
        end(new Rows(columns, rows, ending));
    }

    private void end(Result result) {
        results.add(result);
        rows = new ArrayList<>();
        boolean more = result.ending() instanceof Ok ok && (ok.status() & ServerStatus.MORE_RESULTS) != 0;
        state = more && !cursor ? State.HEADER : State.OVER;
    }
}
