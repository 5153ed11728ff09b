package dev.understudy.session.clone.process;

import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that does nothing before it is in the ledger: should this one end in between, it ends too.
 *
 * @param process the program; what it starts without a fork has the same pid
 * @param entry where the ledger has it
 */
record GatedProcess(Process process, LedgerEntry entry) {
    /** Starts it; whatever it prints is appended to a file. It is waiting, until {@link #open}. */
    static GatedProcess start(
            List<String> command, Map<String, String> environment, Path log, String what, Ledger ledger)
            throws IOException {
        List<String> gated = new ArrayList<>(List.of("sh", "-c", "read -r go && exec \"$@\" </dev/null", "gate"));
        gated.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(gated)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            long ticks = ProcFile.startTicks(process.pid());
            return new GatedProcess(
                    process, ledger.add(Kind.PROCESS, Long.toString(process.pid()), Long.toString(ticks), what));
        } catch (RuntimeException unwritten) {
            process.destroyForcibly();
            throw unwritten;
        }
    }

    /** Lets it begin. */
    void open() throws IOException {
        process.getOutputStream().write("go\n".getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().close();
    }

    long pid() {
        return process.pid();
    }

    /** Kills it, and waits for its end. */
    void kill(Ledger ledger) throws InterruptedException {
        process.destroyForcibly();
        if (process.waitFor(10, TimeUnit.SECONDS)) {
            ledger.remove(entry);
        }
    }
}
