package dev.understudy.relay.split;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What this process takes of the system; -1 where that can't be known. */
final class TapUsage {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d{1,15}) kB$");

    private TapUsage() {}

    /** Bytes of memory. */
    static long residentBytes() {
        try {
            Matcher resident = RESIDENT.matcher(Files.readString(STATUS));
            return resident.find() ? Long.parseLong(resident.group(1)) << 10 : -1;
        } catch (IOException another) {
            return -1;
        }
    }

    /** Open file descriptors. */
    static long descriptors() {
        try {
            return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                    ? unix.getOpenFileDescriptorCount()
                    : -1;
        } catch (InternalError noneIsLeft) {
            return -1; // counting them takes one
        }
    }
}
