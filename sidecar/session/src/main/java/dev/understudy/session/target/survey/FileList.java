package dev.understudy.session.target.survey;

import dev.understudy.session.target.FileUse;
import dev.understudy.session.target.OpenFile;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Files that a process uses in several ways, each once. */
final class FileList {
    private FileList() {}

    /** One entry a path, with all its uses and its size, in the order of paths. */
    static List<OpenFile> merged(List<OpenFile> files) {
        Map<String, OpenFile> byPath = new TreeMap<>();
        for (OpenFile file : files) {
            byPath.merge(file.path(), file, (one, other) -> {
                Set<FileUse> uses = EnumSet.copyOf(one.uses());
                uses.addAll(other.uses());
                return new OpenFile(one.path(), uses, Math.max(one.bytes(), other.bytes()));
            });
        }
        return List.copyOf(byPath.values());
    }
}
