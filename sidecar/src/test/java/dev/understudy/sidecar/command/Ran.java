package dev.understudy.sidecar.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;

/** A command as it ended, run within this process. */
record Ran(int code, String out, String err) {
    static Ran run(String... args) {
        return run(new CountDownLatch(1), args);
    }

    static Ran run(CountDownLatch stopped, String... args) {
        return run(stopped, new StringWriter(), args);
    }

    /** @param out is given what it says while it says it */
    static Ran run(CountDownLatch stopped, StringWriter out, String... args) {
        StringWriter err = new StringWriter();
        CommandLine all = Main.commandLine(Map.of(), stopped);
        all.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int code = all.execute(Main.withCommand(args));
        return new Ran(code, out.toString(), err.toString());
    }
}
