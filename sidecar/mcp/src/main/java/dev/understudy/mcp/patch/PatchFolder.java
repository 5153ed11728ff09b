package dev.understudy.mcp.patch;

import dev.understudy.mcp.tool.ToolInputException;
import dev.understudy.sidecar.command.steer.PatchClassFiles;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The folder below which patches may come from. Nothing outside of it is read, whatever a path or link says. */
final class PatchFolder {
    private final Path folder;

    PatchFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * The class files at a place, packed.
     *
     * @param place below the folder, or an absolute path that is
     */
    byte[] packed(String place) throws IOException, ToolInputException {
        Path root = folder.toRealPath();
        Path wanted;
        try {
            wanted = root.resolve(place).toRealPath();
        } catch (InvalidPathException | IOException none) {
            throw new ToolInputException("classes: " + place + " isn't there (expected: a folder or jar below " + root
                    + ", which --allow-patch names)");
        }
        if (!wanted.startsWith(root)) {
            throw new ToolInputException("classes: " + place + " is outside of " + root
                    + " (expected: a folder or jar below it, or another --allow-patch=FOLDER at the start)");
        }
        return PatchClassFiles.packed(wanted);
    }
}
