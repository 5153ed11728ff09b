package dev.understudy.session.ledger;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A session in a process of its own, which can be killed. */
public final class SessionProgram implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private SessionProgram(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Begins a session, lists a process and a directory, makes them, and waits. */
    public static void main(String[] args) throws Exception {
        FileLedger ledger = new Sessions(Path.of(args[0]), Clock.systemUTC()).create("test", Path.of(args[1]));
        LedgerProcess child = LedgerProcess.start(new ProcessBuilder("sleep", "1000"), ledger, "sleep");
        System.out.println(ledger.session() + " " + child.process().pid());
        System.in.read();
        ledger.finish();
    }

    /** Starts a main class of the tests. */
    public static SessionProgram start(Class<?> main, String... args) throws IOException {
        return start(List.of(), main, args);
    }

    /** The same, behind words that start a program. */
    public static SessionProgram start(List<String> prefix, Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(Arrays.asList(args));
        return new SessionProgram(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The next line that it prints; "" at its end. */
    public String line() throws IOException {
        String line = output.readLine();
        return line == null ? "" : line;
    }

    /** Sends it a line, and returns its answer. */
    public String answer(String line) throws IOException {
        send(line);
        return line();
    }

    /** Its process. */
    public long pid() {
        return process.pid();
    }

    /** Sends it a line. */
    public void send(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits for its end. */
    public int await() throws InterruptedException {
        return process.waitFor();
    }

    /** Whether a process runs; one that nobody has collected yet doesn't. */
    public static boolean isRunning(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException gone) {
            return false;
        }
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
