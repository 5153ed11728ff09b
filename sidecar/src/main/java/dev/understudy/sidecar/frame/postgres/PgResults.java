package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.compare.sql.SqlColumn;
import dev.understudy.divergence.compare.sql.SqlNotice;
import dev.understudy.divergence.compare.sql.SqlReplyCapture;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.sidecar.frame.postgres.PgRequest.Step;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Walks one reply's messages along the steps of its request, and makes results of them. Confined to its lane loop. */
final class PgResults {
    /** Types that users make have numbers from here on, which each server draws for itself. */
    private static final int FIRST_OF_USERS = 16_384;

    private final PgRequest request;
    private final Map<PgStatement, List<Column>> known;
    private final PgFrameEntry entry;
    private SqlReplyCapture into;
    private int next;
    private boolean open;

    /** What was described last and hasn't been run since. */
    private @Nullable PgStatement described;

    private List<Column> columns = List.of();
    private PgRows rows = new PgRows(List.of(), Formats.TEXT);
    private String said = "";
    private final Map<Character, Integer> acknowledged = new TreeMap<>();

    PgResults(PgRequest request, Map<PgStatement, List<Column>> known, PgFrameEntry entry, SqlReplyCapture into) {
        this.request = request;
        this.known = known;
        this.entry = entry;
        this.into = into;
    }

    void into(SqlReplyCapture other) {
        into = other;
    }

    /** The first error, or else the first tag. */
    String said() {
        return said;
    }

    /** @throws RuntimeException if the message isn't what its type says */
    void take(PgMessage message) {
        switch (message.type()) {
            case 'R' -> into.fact("authentication", String.valueOf(entry.said()));
            case 'S' -> setting(message.reader());
            case 'K' -> into.own("backend", HexFormat.of().formatHex(message.body()));
            case 'v' -> into.fact("protocol", HexFormat.of().formatHex(message.body()));
            case 'Z' -> ready((char) message.reader().int8());
            case 'N' -> into.notice(notice(message));
            case 't' -> {
                endDescription();
                into.said("parameters", types(message.reader().types()));
            }
            case 'T' -> columns(message);
            case 'n' -> {
                next += request.step(next).executes() ? 0 : 1;
                acknowledged(message.type());
            }
            case '1', '2', '3', 'c' -> acknowledged(message.type());
            case 'D' -> row(message.body());
            case 'C' -> done(message.reader().string());
            case 'I' -> done("");
            case 's' -> done("suspended");
            case 'G', 'H' -> copy(message);
            case 'd' -> copied(message.body());
            case 'V' -> copied(message.body());
            case 'E' -> failed(message);
            default -> {
                // said to nobody
            }
        }
    }

    void largeRow(byte[] hash, int length) {
        begin();
        into.row(
                hash,
                bytes -> List.of(
                        "(" + length + " bytes, sha256 " + HexFormat.of().formatHex(bytes) + ")"));
    }

    /** That a part of it went well: how often, as no client goes on without. */
    private void acknowledged(char type) {
        acknowledged.merge(type, 1, Integer::sum);
    }

    private void ready(char transaction) {
        into.fact("transaction", String.valueOf(transaction));
        if (!acknowledged.isEmpty()) {
            into.fact("acknowledged", acknowledged.toString());
        }
    }

    private void setting(PgReader reader) {
        String name = reader.string();
        into.fact("parameter." + name, reader.string());
    }

    private void columns(PgMessage message) {
        List<Column> all = Column.decode(message);
        Step step = request.step(next);
        if (step.executes()) {
            columns = all;
            rows = new PgRows(all, Formats.announced(message));
            announce(step);
            open = true;
            return;
        }
        if (described != null) {
            endDescription();
        }
        next++;
        described = step.statement();
        if (described != PgStatement.UNKNOWN) {
            known.put(described, all);
        }
        columns = all;
        announce(step);
    }

    /** The next step is run. */
    private void begin() {
        if (open) {
            return;
        }
        Step step = request.step(next);
        if (described != null && described != step.statement()) {
            endDescription();
        }
        columns = described != null ? columns : known.getOrDefault(step.statement(), List.of());
        described = null;
        rows = new PgRows(columns, step.formats());
        announce(step);
        open = true;
    }

    private void announce(Step step) {
        into.columns(
                columns.stream()
                        .map(column -> new SqlColumn(column.name(), type(column)))
                        .toList(),
                step.statement().ordered());
    }

    private void endDescription() {
        if (described != null) {
            into.endResult();
            described = null;
        }
    }

    private void row(byte[] body) {
        begin();
        into.row(body, rows);
    }

    private void done(String tag) {
        begin();
        into.said("tag", tag);
        said = said.isEmpty() ? tag : said;
        endStep();
    }

    private void failed(PgMessage message) {
        SqlNotice error = notice(message);
        into.error(error);
        said = said.startsWith("ERROR") ? said : "ERROR " + error.state();
        endStep();
    }

    private void endStep() {
        into.endResult();
        described = null;
        open = false;
        columns = List.of();
        next++;
    }

    private void copy(PgMessage message) {
        begin();
        PgReader reader = message.reader();
        boolean text = reader.int8() == 0;
        String form = (text ? "text, " : "binary, ") + reader.count(2) + " columns";
        into.said("copy", (message.type() == 'G' ? "in, " : "out, ") + form);
        rows = new PgRows(List.of(), text ? Formats.TEXT : Formats.of((short) 1));
    }

    private void copied(byte[] body) {
        begin();
        PgRows format = rows;
        into.row(body, bytes -> List.of(format.value(0, bytes)));
    }

    private static String type(Column column) {
        String modified = column.modifier() == -1 ? "" : "(" + column.modifier() + ")";
        return type(column.type()) + modified;
    }

    private static String type(int number) {
        return number >= FIRST_OF_USERS || number < 0 ? "user-defined" : Integer.toString(number);
    }

    private static String types(List<Integer> numbers) {
        return numbers.stream().map(PgResults::type).collect(Collectors.joining(", "));
    }

    private static SqlNotice notice(PgMessage message) {
        String severity = field(message, 'V');
        return new SqlNotice(
                PgErrors.state(message),
                (severity.isEmpty() ? "" : severity + ": ") + field(message, 'M'),
                fields(message, "DHnstcd"),
                fields(message, "FLRWPpq"));
    }

    private static String fields(PgMessage message, String codes) {
        return codes.chars()
                .mapToObj(code -> field(message, (char) code))
                .filter(value -> !value.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private static String field(PgMessage message, char code) {
        String value = PgErrors.field(message, code);
        return value == null ? "" : value;
    }
}
