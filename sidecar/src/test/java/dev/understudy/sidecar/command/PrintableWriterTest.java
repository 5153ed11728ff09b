package dev.understudy.sidecar.command;

import dev.understudy.sidecar.command.control.PrintableWriter;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PrintableWriterTest {
    @Test
    void whatCommandsATerminal_isReplaced_howeverItIsPrinted() {
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        PrintWriter out = PrintableWriter.to(terminal);

        out.println("orders\u001b]0;title\u0007");
        out.print('\u009b');
        out.write(new char[] {'a', '\u001b', 'b'}, 1, 2);
        out.printf("%s\t%s%n", "\u202e", "ok");
        out.flush();

        String printed = terminal.toString(Charset.defaultCharset());
        assertThat(printed).startsWith("orders").contains("]0;title", "b").endsWith("\tok\n");
        assertThat(printed.chars().filter(c -> c == '\u001b' || c == '\u0007' || c == '\u009b' || c == '\u202e'))
                .isEmpty();
    }
}
