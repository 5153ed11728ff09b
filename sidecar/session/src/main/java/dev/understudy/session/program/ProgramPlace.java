package dev.understudy.session.program;

import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.network.ProgramLock;
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
 * @param directory the session's own, for logs; nobody else can enter it
 * @param own what belongs to the programs' user, for settings and state; made when it is needed
 * @param user as whom they run
 * @param network the target's own, in which they run
 * @param locks what they hold for as long as they run
 */
public record ProgramPlace(
        ProgramFiles files, Path directory, Path own, ProgramUser user, NetworkNamespace network, ProgramLock locks) {

    /**
     * The command that runs a jar there.
     *
     * @throws IOException if the target's network is gone
     */
    List<String> command(List<String> options, Path jar, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(locks.words());
        command.addAll(user.words());
        command.add(files.java().toString());
        command.add("-Djava.io.tmpdir=" + own);
        command.addAll(ProgramFiles.sharing(jar));
        command.addAll(options);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(arguments);
        return network.command(command);
    }

    /** What the programs get in their environment: a place for their own files. */
    Map<String, String> environment() {
        return Map.of("HOME", own.toString(), "UNDERSTUDY_RUN", own.toString(), "MALLOC_ARENA_MAX", "2");
    }

    /**
     * Writes a settings file that only the programs' user can read.
     *
     * @throws IOException if it can't be written
     */
    Path write(String name, byte[] content) throws IOException {
        if (!Files.isDirectory(own)) {
            Files.createDirectory(own);
            Files.setPosixFilePermissions(
                    own,
                    EnumSet.of(
                            PosixFilePermission.OWNER_READ,
                            PosixFilePermission.OWNER_WRITE,
                            PosixFilePermission.OWNER_EXECUTE));
            give(own);
        }
        Path file = own.resolve(name);
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
