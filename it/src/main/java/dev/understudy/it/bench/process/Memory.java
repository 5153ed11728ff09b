package dev.understudy.it.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What memory processes take, by the kernel's count. */
public final class Memory {
    private static final long PAGE = 4096;

    private Memory() {}

    /** Resident memory of one process, in bytes. */
    public static long residentBytes(ProcessHandle process) throws IOException {
        String[] pages = Files.readString(Path.of("/proc", Long.toString(process.pid()), "statm"))
                .split(" ", 3);
        return Long.parseLong(pages[1]) * PAGE;
    }
}
