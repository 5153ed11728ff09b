package dev.understudy.session.ledger;

import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that is in the ledger before it runs: a shell waits in its place until its pid is on disk.
 *
 * @param process the process, which is the program's
 * @param entry its entry
 */
public record LedgerProcess(Process process, LedgerEntry entry) {
    /** Ends by itself if the session dies before it lets it run. */
    private static final String GATE = "IFS= read -r go && exec \"$@\"";

    /**
     * Starts a program at once.
     *
     * @param builder as in {@link #prepare}
     * @param what it is, for the ledger
     * @throws IOException if it can't be started
     */
    public static LedgerProcess start(ProcessBuilder builder, Ledger ledger, String what) throws IOException {
        LedgerProcess prepared = prepare(builder, ledger, what);
        try {
            prepared.open();
            return prepared;
        } catch (IOException | RuntimeException failed) {
            prepared.process.destroyForcibly();
            throw failed;
        }
    }

    /**
     * Has a program wait until {@link #open}.
     *
     * @param builder with its command; its input becomes a pipe, which the program gets after the first line
     * @param what it is, for the ledger
     * @throws IOException if it can't be started
     */
    public static LedgerProcess prepare(ProcessBuilder builder, Ledger ledger, String what) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", GATE, "sh"));
        command.addAll(builder.command());
        Process process = builder.command(command)
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .start();
        try {
            return new LedgerProcess(
                    process,
                    ledger.add(
                            Kind.PROCESS,
                            Long.toString(process.pid()),
                            Long.toString(ProcessStart.ticks(process.pid())),
                            what));
        } catch (IOException | RuntimeException failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    /** Lets it begin. */
    public void open() throws IOException {
        OutputStream gate = process.getOutputStream();
        gate.write("go\n".getBytes(StandardCharsets.US_ASCII));
        gate.flush();
    }
}
