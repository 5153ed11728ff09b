package dev.understudy.relay.stream;

import java.nio.file.FileSystems;
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

    /** None where the system has no such permissions. */
    private static FileAttribute<?>[] permissions(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
