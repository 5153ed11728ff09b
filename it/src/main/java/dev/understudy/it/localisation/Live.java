package dev.understudy.it.localisation;

import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What stays in both JVMs after a full collection, in bytes: what an operator sees of a leak.
 *
 * @param debug with the agent's own objects
 */
record Live(long production, long debug) {
    /** Collects in both, which stops each for some milliseconds. */
    static Live of(Tool production, Tool debug) throws IOException, InterruptedException {
        return new Live(bytes(production), bytes(debug));
    }

    private static long bytes(Tool jvm) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String pid = Long.toString(jvm.handle().pid());
        return total(Shell.run(List.of(jcmd, pid, "GC.class_histogram")));
    }

    /** The sum in the last line of a histogram: {@code Total 12345 678901}, objects and bytes. */
    static long total(String histogram) throws IOException {
        String last =
                histogram.strip().lines().reduce("", (before, line) -> line).strip();
        String[] words = last.split("\\s+", -1);
        if (words.length != 3 || !words[0].equals("Total") || !words[2].matches("\\d{1,18}")) {
            throw new IOException("no histogram: " + last);
        }
        return Long.parseLong(words[2]);
    }
}
