package dev.understudy.session.clone.checkpoint;

import dev.understudy.session.clone.facts.MappedFile;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.host.HostCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Kills a CRIU that neither finishes nor gives up, at a moment that the process survives.
 *
 * <p>In some steps a thread of the process runs CRIU's helper, and only CRIU knows what it did before: killed there, it
 * takes the process along (7 of 120 kills at random moments). So CRIU is stopped first, and looked at. If the moment is
 * a bad one it goes on for some milliseconds.
 */
final class EngineEnd {
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(8);
    /** At the start of a mapping, CRIU puts the call that it makes the process do. */
    private static final long CALL_BYTES = 16;

    private final List<Long> targets;

    /** @param targets the processes that it takes a snapshot of */
    EngineEnd(List<Long> targets) {
        this.targets = List.copyOf(targets);
    }

    /** Kills the program, with all that it started; false if there was no good moment for that. */
    boolean kill(ProcessHandle program) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (program.isAlive() && System.nanoTime() - began < LIMIT) {
            List<String> all = Stream.concat(Stream.of(program), program.descendants())
                    .map(process -> Long.toString(process.pid()))
                    .toList();
            signal("-STOP", all);
            // the helper comes to its own stop meanwhile
            Thread.sleep(3);
            if (targets.stream().allMatch(EngineEnd::isSafe)) {
                signal("-KILL", all);
                return hasEnded(program);
            }
            signal("-CONT", all);
            Thread.sleep(5);
        }
        return !program.isAlive();
    }

    private static boolean hasEnded(ProcessHandle program) throws InterruptedException {
        for (int i = 0; i < 500 && program.isAlive(); i++) {
            Thread.sleep(10);
        }
        return !program.isAlive();
    }

    private static void signal(String signal, List<String> processes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", signal));
        command.addAll(processes);
        HostCommand.run(Duration.ofSeconds(5), command);
    }

    private static boolean isSafe(long target) {
        List<MappedFile> mapped = MappedFile.of(target);
        List<Long> starts = new ArrayList<>();
        for (String line : ProcFile.lines(ProcFile.of(target, "maps"))) {
            int space = line.indexOf(' ');
            if (space > 0 && line.length() > space + 3 && line.charAt(space + 3) == 'x') {
                starts.add(hexadecimal(line.substring(0, line.indexOf('-'))));
            }
        }
        for (Path thread : ProcFile.entries(ProcFile.of(target, "task"))) {
            Map<String, String> status = ProcFile.values(thread.resolve("status"));
            if (ProcFile.number(status.get("TracerPid")) == 0) {
                continue;
            }
            String call = String.join("", ProcFile.lines(thread.resolve("syscall")));
            long at = hexadecimal(call.substring(call.lastIndexOf(' ') + 1).replaceFirst("^0x", ""));
            boolean isHelper = mapped.stream().anyMatch(file -> file.isOfCriu() && file.contains(at));
            boolean isStopped = status.getOrDefault("State", "").startsWith("t");
            // waiting for CRIU's commands, the helper notices its end, and returns to what the thread did
            boolean isWaiting = isHelper && status.getOrDefault("State", "").startsWith("S");
            boolean isCall = starts.stream().anyMatch(start -> at >= start && at < start + CALL_BYTES);
            if (at == -1 || (!isWaiting && (isHelper || isCall || !isStopped))) {
                return false;
            }
        }
        return true;
    }

    /** A number; -1 if it is none, as for a thread that runs. */
    private static long hexadecimal(String text) {
        try {
            return Long.parseUnsignedLong(text, 16);
        } catch (NumberFormatException running) {
            return -1;
        }
    }
}
