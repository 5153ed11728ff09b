package dev.understudy.relay.stream;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** What files and directories are created with that hold what production and its users said. */
public final class OwnerOnly {
    private OwnerOnly() {}

    /** Nobody but its owner may read or write it. */
    public static FileAttribute<?>[] file() {
        return permissions("rw-------");
    }

    /** Nobody but its owner may enter it. */
    public static FileAttribute<?>[] directory() {
        return permissions("rwx------");
    }

    /**
     * Writes such a file in the place of an earlier one. Whoever reads it meanwhile finds all of the one or of the
     * other.
     *
     * @param file in a directory that is there
     * @throws IOException if it can't be written; an earlier one stays
     */
    public static void replace(Path file, byte[] content) throws IOException {
        // a file of a name that others know could be somebody else's, with their permissions
        Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), ".understudy", null, file());
        try {
            Files.write(fresh, content);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** None where the system has no such permissions. */
    private static FileAttribute<?>[] permissions(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
