package dev.understudy.observatory.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.understudy.observatory.store.ResultSink;
import dev.understudy.relay.log.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How an answer's rows are written, but for Parquet. */
enum ResultFormat {
    /** Aligned columns for people; cells and rows beyond a bound are cut, and that is said. */
    TABLE {
        @Override
        ResultSink to(Writer out) {
            return new TableText(out);
        }
    },

    /** RFC 4180 with a line of names first; nulls are empty. */
    CSV {
        @Override
        ResultSink to(Writer out) {
            return new CsvText(out);
        }
    },

    /** One array of objects. */
    JSON {
        @Override
        ResultSink to(Writer out) throws IOException {
            return new JsonText(out);
        }
    },

    /** A file for other programs; see {@link dev.understudy.observatory.store.StoreQuery#write}. */
    PARQUET {
        @Override
        ResultSink to(Writer out) {
            throw new IllegalArgumentException("Parquet is no text");
        }
    };

    /** Rows as text. The writer is flushed at the end, and left open. */
    abstract ResultSink to(Writer out) throws IOException;

    private static final class TableText implements ResultSink {
        private static final int MOST_ROWS = 1_000;
        private static final int WIDEST = 60;

        private final Writer out;
        private final List<List<String>> lines = new ArrayList<>();
        private boolean cut;

        private TableText(Writer out) {
            this.out = out;
        }

        @Override
        public void columns(List<String> names) {
            lines.add(names.stream().map(TableText::cell).toList());
        }

        @Override
        public boolean row(List<@Nullable Object> values) {
            cut = lines.size() > MOST_ROWS;
            if (!cut) {
                lines.add(values.stream().map(TableText::cell).toList());
            }
            return !cut;
        }

        @Override
        public void end() throws IOException {
            int[] widths = new int[lines.get(0).size()];
            for (List<String> line : lines) {
                for (int n = 0; n < widths.length; n++) {
                    widths[n] = Math.max(widths[n], line.get(n).length());
                }
            }
            for (List<String> line : lines) {
                StringBuilder text = new StringBuilder();
                for (int n = 0; n < widths.length; n++) {
                    text.append(line.get(n))
                            .append(" ".repeat(widths[n] - line.get(n).length() + 2));
                }
                out.write(text.toString().stripTrailing() + "\n");
            }
            out.write(cut ? "(the first " + MOST_ROWS + " rows; --format csv writes all)\n" : "");
            out.flush();
        }

        private static String cell(@Nullable Object value) {
            String text = value == null ? "-" : printable(value.toString());
            return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 1) + "…";
        }
    }

    private static String printable(String text) {
        StringBuilder printable = new StringBuilder(text);
        for (int n = 0; n < text.length(); n++) {
            if (Printable.isControl(text.charAt(n))) {
                printable.setCharAt(n, Printable.REPLACEMENT);
            }
        }
        return printable.toString();
    }

    private static final class CsvText implements ResultSink {
        private final Writer out;

        private CsvText(Writer out) {
            this.out = out;
        }

        @Override
        public void columns(List<String> names) throws IOException {
            row(new ArrayList<@Nullable Object>(names));
        }

        @Override
        public boolean row(List<@Nullable Object> values) throws IOException {
            String line = values.stream().map(CsvText::field).collect(Collectors.joining(","));
            // a lone empty field would be an empty line, which readers skip
            out.write((line.isEmpty() ? "\"\"" : line) + "\r\n");
            return true;
        }

        @Override
        public void end() throws IOException {
            out.flush();
        }

        private static String field(@Nullable Object value) {
            String text = value == null ? "" : value.toString();
            boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
            return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
        }
    }

    private static final class JsonText implements ResultSink {
        private static final JsonFactory FACTORY = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

        private final JsonGenerator json;
        private List<String> names = List.of();

        private JsonText(Writer out) throws IOException {
            json = FACTORY.createGenerator(out).useDefaultPrettyPrinter();
        }

        @Override
        public void columns(List<String> columns) throws IOException {
            names = columns;
            json.writeStartArray();
        }

        @Override
        public boolean row(List<@Nullable Object> values) throws IOException {
            json.writeStartObject();
            for (int n = 0; n < names.size(); n++) {
                json.writeFieldName(names.get(n));
                Object value = values.get(n);
                if (value == null) {
                    json.writeNull();
                } else if (value instanceof Boolean truth) {
                    json.writeBoolean(truth);
                } else if (value instanceof Number number) {
                    writeNumber(number);
                } else {
                    json.writeString(value.toString());
                }
            }
            json.writeEndObject();
            return true;
        }

        /** JSON has no number that is none. */
        private void writeNumber(Number number) throws IOException {
            double value = number.doubleValue();
            if ((number instanceof Double || number instanceof Float) && !Double.isFinite(value)) {
                json.writeNull();
            } else {
                json.writeNumber(number.toString());
            }
        }

        @Override
        public void end() throws IOException {
            json.writeEndArray();
            json.writeRaw('\n');
            json.flush();
        }
    }
}
