package dev.understudy.session.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * Where and as whom the programs of a session run.
 *
 * @param files the programs
 * @param directory the session's own, for settings, logs and state
 * @param user as whom they run
 * @param network what starts a program in the network of the target; empty for this machine's own
 */
public record ProgramPlace(ProgramFiles files, Path directory, ProgramUser user, List<String> network) {
    public ProgramPlace {
        network = List.copyOf(network);
    }

    /** The command that runs a jar there. */
    List<String> command(List<String> options, Path jar, List<String> arguments) {
        List<String> command = new ArrayList<>(network);
        command.addAll(user.words());
        command.add(files.java().toString());
        command.add("-Djava.io.tmpdir=" + own());
        command.addAll(options);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(arguments);
        return command;
    }

    /** What the programs get in their environment: a place for their own files. */
    Map<String, String> environment() {
        return Map.of("HOME", own().toString(), "UNDERSTUDY_RUN", own().toString(), "MALLOC_ARENA_MAX", "2");
    }

    /** The directory that belongs to the programs' user. */
    Path own() {
        return directory.resolve("programs");
    }

    /**
     * Writes a settings file that only the programs' user can read.
     *
     * @throws IOException if it can't be written
     */
    Path write(String name, byte[] content) throws IOException {
        if (!Files.isDirectory(own())) {
            Files.createDirectories(own());
            Files.setPosixFilePermissions(
                    own(),
                    EnumSet.of(
                            PosixFilePermission.OWNER_READ,
                            PosixFilePermission.OWNER_WRITE,
                            PosixFilePermission.OWNER_EXECUTE));
            give(own());
        }
        Path file = own().resolve(name);
        Files.deleteIfExists(file);
        Files.createFile(file);
        Files.setPosixFilePermissions(
                file, EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
        Files.write(file, content);
        give(file);
        return file;
    }

    private void give(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", user.id());
        Files.setAttribute(path, "unix:gid", user.id());
    }
}
