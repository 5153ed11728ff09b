package dev.understudy.sidecar.command.control;

import dev.understudy.relay.log.Printable;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;

/** What commands print: names and values from outside reach a terminal without what would command it. */
public final class PrintableWriter extends FilterWriter {
    private PrintableWriter(Writer out) {
        super(out);
    }

    /** A printer to {@code out}, in the charset of this JVM's locale. */
    public static PrintWriter to(OutputStream out) {
        return new PrintWriter(new PrintableWriter(new OutputStreamWriter(out, Charset.defaultCharset())), true);
    }

    @Override
    public void write(int character) throws IOException {
        super.write(printable((char) character));
    }

    @Override
    public void write(char[] characters, int from, int length) throws IOException {
        char[] printable = new char[length];
        for (int n = 0; n < length; n++) {
            printable[n] = printable(characters[from + n]);
        }
        super.write(printable, 0, length);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
        write(text.substring(from, from + length).toCharArray(), 0, length);
    }

    private static char printable(char c) {
        if (c == '\n' || c == '\t') {
            return c;
        }
        return Printable.isControl(c) ? Printable.REPLACEMENT : c;
    }
}
