package dev.understudy.divergence.wire.redis;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes values as wire bytes. */
final class RespWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    static byte[] encode(RespValue value) {
        RespWriter writer = new RespWriter();
        writer.write(value);
        return writer.out.toByteArray();
    }

    private void write(RespValue value) {
        if (value instanceof RespValue.Simple simple) {
            line('+', simple.text());
        } else if (value instanceof RespValue.SimpleError error) {
            line('-', error.message());
        } else if (value instanceof RespValue.Int number) {
            line(':', Long.toString(number.value()));
        } else if (value instanceof RespValue.Bool bool) {
            line('#', bool.value() ? "t" : "f");
        } else if (value instanceof RespValue.Decimal decimal) {
            line(',', decimal.text());
        } else if (value instanceof RespValue.BigNumber number) {
            line('(', number.text());
        } else if (value instanceof RespValue.Null) {
            line('_', "");
        } else if (value instanceof RespValue.Inline inline) {
            line('*', Integer.toString(inline.words().size()));
            inline.words().forEach(word -> blob('$', word));
        } else if (!writeBlob(value)) {
            writeNested(value);
        }
    }

    private boolean writeBlob(RespValue value) {
        if (value instanceof RespValue.Bulk bulk) {
            byte[] content = bulk.bytes();
            if (content == null) {
                line('$', "-1");
            } else {
                blob('$', content);
            }
        } else if (value instanceof RespValue.BulkError error) {
            blob('!', error.bytes());
        } else if (value instanceof RespValue.Verbatim text) {
            line('=', Integer.toString(text.bytes().length + 4));
            out.writeBytes((text.format() + ':').getBytes(StandardCharsets.ISO_8859_1));
            out.writeBytes(text.bytes());
            endLine();
        } else {
            return false;
        }
        return true;
    }

    private void writeNested(RespValue value) {
        if (value instanceof RespValue.Array array) {
            List<RespValue> items = array.items();
            if (items == null) {
                line('*', "-1");
            } else {
                items('*', items);
            }
        } else if (value instanceof RespValue.Unordered set) {
            items('~', set.items());
        } else if (value instanceof RespValue.Push push) {
            items('>', push.items());
        } else if (value instanceof RespValue.Mapping mapping) {
            entries('%', mapping.entries());
        } else if (value instanceof RespValue.Attributed attributed) {
            entries('|', attributed.attributes());
            write(attributed.value());
        }
    }

    private void items(char type, List<RespValue> items) {
        line(type, Integer.toString(items.size()));
        items.forEach(this::write);
    }

    private void entries(char type, List<RespValue.Entry> entries) {
        line(type, Integer.toString(entries.size()));
        for (RespValue.Entry entry : entries) {
            write(entry.key());
            write(entry.value());
        }
    }

    private void blob(char type, byte[] content) {
        line(type, Integer.toString(content.length));
        out.writeBytes(content);
        endLine();
    }

    private void line(char type, String text) {
        out.write(type);
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        endLine();
    }

    private void endLine() {
        out.write('\r');
        out.write('\n');
    }
}
