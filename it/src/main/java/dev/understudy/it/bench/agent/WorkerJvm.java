package dev.understudy.it.bench.agent;

import dev.understudy.it.overhead.Armed;
import dev.understudy.it.overhead.Worker;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that does one work when it is told to. Confined to one thread. */
final class WorkerJvm implements Closeable {
    private static final int FIRST_CPU_FIELD = 11;
    private static final long TICK_NANOS = 10_000_000L;

    private final Process process;
    private final BufferedReader answers;
    private final Path errors;
    private final String name;

    private WorkerJvm(Process process, Path errors, String name) {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.errors = errors;
        this.name = name;
    }

    /** Starts it and waits until it has done its work once. */
    static WorkerJvm start(Jvms jvms, Candidate candidate, String work) throws IOException {
        List<String> command = new ArrayList<>(jvms.java(candidate.options()));
        command.addAll(List.of(Worker.class.getName(), work));
        Path errors = Files.createTempFile(jvms.folder(), "worker", ".err");
        Process process = new ProcessBuilder(command)
                .directory(jvms.folder().toFile())
                .redirectError(errors.toFile())
                .start();
        WorkerJvm worker = new WorkerJvm(process, errors, candidate.name());
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        worker.await("first");
        return worker;
    }

    void set(Armed armed) throws IOException {
        say("set " + armed, "set");
    }

    Ran run(long millis) throws IOException {
        return Ran.of(say("run " + millis, "ran"));
    }

    /** User and system time of all its threads so far, in steps of 10 ms. */
    long cpuNanos() throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return TICK_NANOS * (Long.parseLong(fields[FIRST_CPU_FIELD]) + Long.parseLong(fields[FIRST_CPU_FIELD + 1]));
    }

    private String say(String command, String answer) throws IOException {
        process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return await(answer);
    }

    /** The next line that begins with the word; agents may say something on the same stream. */
    private String await(String word) throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(word)) {
                return line;
            }
        }
        throw new IOException(name + " ended:\n" + Files.readString(errors));
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
            Files.delete(errors);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
