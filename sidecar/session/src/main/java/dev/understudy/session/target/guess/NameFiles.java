package dev.understudy.session.target.guess;

import dev.understudy.session.target.proc.TargetRoot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The files by which a process looks up names, to a limit.
 *
 * @param hosts its {@code /etc/hosts}
 * @param resolv its {@code /etc/resolv.conf}
 */
public record NameFiles(String hosts, String resolv) {
    /** Of one variable of an environment, the kernel takes 128 KB. */
    private static final int MOST = 64 << 10;

    /** Reads them; what isn't there is empty. */
    public static NameFiles read(TargetRoot root) {
        return new NameFiles(text(root, "/etc/hosts"), text(root, "/etc/resolv.conf"));
    }

    /** Both, for a program that writes them where it looks for them. */
    Map<String, String> environment() {
        return Map.of("UNDERSTUDY_HOSTS", hosts.replace("\0", ""), "UNDERSTUDY_RESOLV", resolv.replace("\0", ""));
    }

    private static String text(TargetRoot root, String path) {
        Optional<Path> file = root.file(path);
        if (file.isEmpty()) {
            return "";
        }
        try (InputStream in = Files.newInputStream(file.get())) {
            return new String(in.readNBytes(MOST), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            return "";
        }
    }
}
